import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Kind } from './kinds.ts';

/** To the page of a user, a team or a role, by its name if it has one. */
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
