import { Anchor } from '@mantine/core';
import { splitLinks } from './split-links.ts';

/** Shows untrusted text, with its web addresses as links. */
export function LinkedText({ text }: { readonly text: string }) {
  return splitLinks(text).map((part, index) => {
    // The parts of a text never change their order.
    const key = `${index}`;
    if (part.href === undefined) return <span key={key}>{part.text}</span>;
    return (
      <Anchor
        key={key}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer"
        underline="always"
        inherit
      >
        {part.text}
      </Anchor>
    );
  });
}
