import { Anchor, Code } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import { RecordLink } from '../../../fields/record-link.tsx';
import { type PostPart, parsePost, plainPost } from './parse-post.ts';
import classes from './post-body.module.css';
import { type Mentions, splitMentions } from './split-mentions.ts';

export interface PostProps {
  readonly text: string;
  readonly mentions: Mentions;
}

/** Shows the untrusted text of a post with its formatting, and with web addresses and mentioned users as links. */
export function FormattedPost({ text, mentions }: PostProps) {
  const parts = useMemo(() => parsePost(text), [text]);
  return (
    <div className={classes['post']}>
      <Parts parts={parts} mentions={mentions} />
    </div>
  );
}

/** Shows the beginning of a post without formatting and links, for use inside a link. */
export function PlainPost({ text }: { readonly text: string }) {
  return plainPost(text.slice(0, longestExcerpt));
}

const longestExcerpt = 500;

interface PartsProps {
  readonly parts: readonly PostPart[];
  readonly mentions: Mentions;
}

function Parts({ parts, mentions }: PartsProps) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    <Part key={index} part={part} mentions={mentions} />
  ));
}

const elements = {
  paragraph: 'p',
  // A post must not add headings to the outline of the page.
  heading: 'strong',
  bold: 'strong',
  italic: 'em',
  struck: 's',
  quote: 'blockquote',
  list: 'ul',
  item: 'li',
} as const;

function Part(props: { readonly part: PostPart; readonly mentions: Mentions }): ReactNode {
  const { part, mentions } = props;
  switch (part.kind) {
    case 'text':
      return <MentioningText text={part.text} mentions={mentions} />;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'code':
      return <Code>{part.text}</Code>;
    case 'codeBlock':
      return <Code block>{part.text}</Code>;
    case 'link':
      return (
        <Anchor
          href={part.href}
          target="_blank"
          rel="noopener noreferrer"
          underline="always"
          inherit
        >
          <Parts parts={part.parts} mentions={{}} />
        </Anchor>
      );
    case 'orderedList':
      return (
        <ol start={part.start}>
          <Parts parts={part.parts} mentions={mentions} />
        </ol>
      );
    default: {
      const Element = elements[part.kind];
      const inner = (
        <Element>
          <Parts parts={part.parts} mentions={mentions} />
        </Element>
      );
      return part.kind === 'heading' ? <p>{inner}</p> : inner;
    }
  }
}

function MentioningText({
  text,
  mentions,
}: {
  readonly text: string;
  readonly mentions: Mentions;
}) {
  return splitMentions(text, mentions).map((part, index) => {
    // The parts of a text never change their order.
    const key = `${index}`;
    if (part.userId === undefined) return <Fragment key={key}>{part.text}</Fragment>;
    return (
      <RecordLink key={key} entity="User" id={part.userId} name={part.text} underline="always" />
    );
  });
}
