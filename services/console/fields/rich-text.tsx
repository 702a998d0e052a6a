import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Entity } from '../api/metadata.ts';
import { asText, common, type InputProps, type Values } from './input-parts.ts';
import { plainTextOf } from './rich-text/plain-text.ts';
import { LongTextInput } from './simple-inputs.tsx';
import { TextValue, type ValueProps } from './simple-values.tsx';

const RichText = lazy(async () => {
  const { RichText: component } = await import('./rich-text/rich-text.tsx');
  return { default: component };
});

const RichTextEditor = lazy(async () => {
  const { RichTextEditor: component } = await import('./rich-text/rich-text-editor.tsx');
  return { default: component };
});

/** True for a record whose rich texts are plain texts, such as an e-mail template without HTML. */
function isPlain({ fields }: Pick<Entity, 'fields'>, values: Values): boolean {
  return fields['isHtml']?.type === 'bool' && values['isHtml'] === false;
}

/** Edits HTML. The editor is loaded when the first form needs it. */
export function RichTextInput(props: InputProps) {
  const { entity, name, values, onChange } = props;
  if (isPlain(entity, values)) return <LongTextInput {...props} />;
  return (
    <Suspense fallback={<Skeleton h={200} />}>
      <RichTextEditor
        {...common(props)}
        value={asText(props)}
        onChange={(html) => onChange({ [name]: html })}
      />
    </Suspense>
  );
}

export function RichTextValue(props: ValueProps) {
  const { record, name, entity } = props;
  const text = record[name];
  if (isPlain(entity, record) || typeof text !== 'string') return <TextValue {...props} />;
  if (text === '') return null;
  return (
    <Suspense fallback={<Skeleton h={60} />}>
      <RichText text={text} />
    </Suspense>
  );
}

/** The words of a rich text, for lists. */
export function RichTextCell(props: ValueProps) {
  const { record, name, entity } = props;
  const text = record[name];
  if (isPlain(entity, record) || typeof text !== 'string') return <TextValue {...props} />;
  return plainTextOf(text);
}
