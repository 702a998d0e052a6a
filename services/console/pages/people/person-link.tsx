import { TextLink } from '../../parts/link.tsx';
import type { Kind } from './kinds.ts';

/** Links to a user, team or role, by its name or else its id. */
export function PersonLink(props: {
  readonly kind: Kind;
  readonly id: string;
  readonly name: unknown;
}) {
  const { kind, id, name } = props;
  return (
    <TextLink inherit to="/people/$kind/$id" params={{ kind, id }}>
      {typeof name === 'string' && name !== '' ? name : id}
    </TextLink>
  );
}
