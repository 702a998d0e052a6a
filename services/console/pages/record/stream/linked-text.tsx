import { Anchor } from '@mantine/core';
import { RecordLink } from '../../../fields/record-link.tsx';
import { splitLinks } from './split-links.ts';
import { type Mentions, splitMentions } from './split-mentions.ts';

interface Props {
  readonly text: string;
  readonly mentions: Mentions;
}

/** Shows untrusted text, with its web addresses and the users whom it mentions as links. */
export function LinkedText({ text, mentions }: Props) {
  return splitLinks(text).map((part, index) => {
    // The parts of a text never change their order.
    const key = `${index}`;
    if (part.href === undefined) {
      return <MentioningText key={key} text={part.text} mentions={mentions} />;
    }
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

function MentioningText({ text, mentions }: Props) {
  return splitMentions(text, mentions).map((part, index) => {
    const key = `${index}`;
    if (part.userId === undefined) return <span key={key}>{part.text}</span>;
    return (
      <RecordLink key={key} entity="User" id={part.userId} name={part.text} underline="always" />
    );
  });
}
