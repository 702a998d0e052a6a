import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Kind } from './kinds.ts';

/** Links to a user, team or role, by its name or else its id. */
export function PersonLink(props: {
  readonly kind: Kind;
  readonly id: string;
  readonly name: unknown;
}) {
  const { kind, id, name } = props;
  return (
    <Anchor
      inherit
      renderRoot={(rest) => <Link to="/people/$kind/$id" params={{ kind, id }} {...rest} />}
    >
      {typeof name === 'string' && name !== '' ? name : id}
    </Anchor>
  );
}
