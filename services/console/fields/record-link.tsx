import { Anchor } from '@mantine/core';
import { useUser } from '../api/session.ts';
import { TextLink } from '../parts/link.tsx';

/** Entity types with dedicated administration pages, and the name of those pages. */
const kinds: Readonly<Record<string, string>> = { User: 'users', Team: 'teams', Role: 'roles' };

/** A link to a record, with its name or else its id as text. Next to other text it needs an underline. */
export function RecordLink(props: {
  readonly entity: unknown;
  readonly id: string;
  readonly name: unknown;
  readonly underline?: 'always' | 'hover';
}) {
  const { entity, id, underline = 'hover' } = props;
  const text = isText(props.name) ? props.name : id;
  const { user } = useUser();
  if (!isText(entity)) return text;
  const kind = user.isAdmin ? kinds[entity] : undefined;
  if (kind !== undefined) {
    return <PersonLink kind={kind} id={id} name={text} underline={underline} />;
  }
  return (
    <TextLink inherit underline={underline} to="/records/$entity/$id" params={{ entity, id }}>
      {text}
    </TextLink>
  );
}

/**
 * A link to the administration page of a user, team or role, with its name or else its id as text.
 */
export function PersonLink(props: {
  readonly kind: string;
  readonly id: string;
  readonly name: unknown;
  readonly underline?: 'always' | 'hover';
}) {
  const { kind, id, name, underline = 'hover' } = props;
  return (
    <TextLink inherit underline={underline} to="/people/$kind/$id" params={{ kind, id }}>
      {isText(name) ? name : id}
    </TextLink>
  );
}

/** A link that downloads, so that uploaded files are never rendered in this origin. */
export function FileLink({ id, name }: { readonly id: string; readonly name: unknown }) {
  return (
    <Anchor href={fileAddress(id)} download inherit mr="xs">
      {isText(name) ? name : id}
    </Anchor>
  );
}

export function fileAddress(id: string): string {
  return `/api/v1/Attachment/file/${encodeURIComponent(id)}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
