import { Typography } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { cleanHtml } from './clean-html.ts';
import { htmlOf } from './markup.ts';
import classes from './rich-text.module.css';
import { useImageText } from './use-image-text.ts';

/** Shows untrusted HTML. */
export function RichText({ text }: { readonly text: string }) {
  const imageText = useImageText();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(cleanHtml(htmlOf(text), imageText));
  }, [text, imageText]);
  return (
    <Typography>
      <div ref={place} className={classes['text']} />
    </Typography>
  );
}
