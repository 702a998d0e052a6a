import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to a page of the console. */
export const TextLink = createLink((props: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor {...props} />
));
