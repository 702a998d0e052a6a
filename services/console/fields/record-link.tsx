import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** To a record, by its name if it has one. */
export function RecordLink(props: {
  readonly entity: unknown;
  readonly id: string;
  readonly name: unknown;
}) {
  const { entity, id } = props;
  const text = isText(props.name) ? props.name : id;
  if (!isText(entity)) return text;
  return (
    <Anchor
      inherit
      renderRoot={(rest) => <Link to="/records/$entity/$id" params={{ entity, id }} {...rest} />}
    >
      {text}
    </Anchor>
  );
}

/** A download: nothing that somebody uploaded is shown in this origin. */
export function FileLink({ id, name }: { readonly id: string; readonly name: unknown }) {
  return (
    <Anchor href={`/api/v1/Attachment/file/${encodeURIComponent(id)}`} download inherit mr="xs">
      {isText(name) ? name : id}
    </Anchor>
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
