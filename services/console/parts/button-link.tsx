import { Button, type ButtonProps, type ElementProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink(
  (props: ButtonProps & ElementProps<'a', keyof ButtonProps>) => (
    <Button component="a" {...props} />
  ),
);
