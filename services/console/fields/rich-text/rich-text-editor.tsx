import '@mantine/tiptap/styles.css';
import {
  Alert,
  Button,
  Group,
  Input,
  Stack,
  Text,
  Textarea,
  useMantineStyleNonce,
} from '@mantine/core';
import { Link, RichTextEditor as MantineEditor, type RichTextEditorLabels } from '@mantine/tiptap';
import { IconCode } from '@tabler/icons-react';
import { type Editor, generateHTML, generateJSON, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useText } from '../../language/language.tsx';
import { cleanMarkup, type ImageText } from './clean-html.ts';
import { htmlOf } from './markup.ts';
import classes from './rich-text.module.css';
import { isSameContent } from './same-content.ts';
import { useImageText } from './use-image-text.ts';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  readonly required: boolean;
  readonly withAsterisk: boolean;
  readonly value: string;
  readonly onChange: (html: string) => void;
}

const extensions = [
  // A trailing paragraph would change every text that is opened.
  StarterKit.configure({ link: false, trailingNode: false }),
  Link.configure({ defaultProtocol: 'https' }),
];

/**
 * Edits HTML. A text with formatting that the editor does not support is edited as HTML, unless the user chooses to lose
 * that formatting.
 */
export function RichTextEditor(props: Props) {
  const imageText = useImageText();
  const [isFormatted, setFormatted] = useState(() => isSupported(props.value, imageText));
  return isFormatted ? (
    <FormattedInput {...props} imageText={imageText} onSwitch={() => setFormatted(false)} />
  ) : (
    <SourceInput {...props} imageText={imageText} onSwitch={() => setFormatted(true)} />
  );
}

/** True if the editor keeps the whole text with its formatting. */
function isSupported(value: string, imageText: ImageText): boolean {
  if (value === '') return true;
  const html = htmlOf(value);
  const kept = generateHTML(generateJSON(cleanMarkup(html, imageText), extensions), extensions);
  return isSameContent(html, kept);
}

interface ModeProps extends Props {
  readonly imageText: ImageText;
  readonly onSwitch: () => void;
}

function SourceInput(props: ModeProps) {
  const t = useText();
  const { value, imageText, onSwitch, onChange, ...common } = props;
  const checked = useDeferredValue(value);
  const isLossy = useMemo(() => !isSupported(checked, imageText), [checked, imageText]);
  return (
    <Stack gap="xs">
      <Textarea
        {...common}
        autosize
        minRows={6}
        maxRows={20}
        ff="monospace"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Alert color={isLossy ? 'yellow' : 'gray'} p="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm">{t(isLossy ? 'richText.unsupported' : 'richText.source')}</Text>
          <Button size="compact-sm" variant="default" onClick={onSwitch}>
            {t(isLossy ? 'richText.openAnyway' : 'richText.open')}
          </Button>
        </Group>
      </Alert>
    </Stack>
  );
}

function FormattedInput(props: ModeProps) {
  const { label, description, error, required, withAsterisk, imageText, onChange } = props;
  const id = useId();
  const styleNonce = useMantineStyleNonce()?.();
  const editor = useEditor({
    extensions,
    content: cleanMarkup(htmlOf(props.value), imageText),
    ...(styleNonce === undefined ? {} : { injectNonce: styleNonce }),
    onUpdate: (change) => onChange(htmlIn(change.editor)),
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-required': String(required),
        'aria-invalid': String(error !== undefined),
        ...(error === undefined ? {} : { 'aria-describedby': `${id}-error` }),
      },
      transformPastedHTML: (html) => cleanMarkup(html, imageText),
    },
  });
  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label={label}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
      labelProps={{ onClick: () => editor.commands.focus() }}
    >
      <EditorWithTools editor={editor} onSwitch={props.onSwitch} />
    </Input.Wrapper>
  );
}

/** Returns an empty text, not an empty paragraph, if nothing is entered. */
function htmlIn(editor: Editor): string {
  return editor.isEmpty ? '' : editor.getHTML();
}

const styles = {
  content: { minHeight: '8rem', maxHeight: '32rem', overflowY: 'auto' },
  // Links always open another tab, so the editor does not offer a choice.
  linkEditorExternalControl: { display: 'none' },
} as const;

function EditorWithTools(props: { readonly editor: Editor; readonly onSwitch: () => void }) {
  const t = useText();
  const labels = useLabels();
  const { ControlsGroup: Tools } = MantineEditor;
  return (
    <MantineEditor
      className={classes['editor']}
      editor={props.editor}
      labels={labels}
      styles={styles}
    >
      <MantineEditor.Toolbar role="toolbar" aria-label={t('richText.tools')}>
        <Tools>
          <MantineEditor.Bold />
          <MantineEditor.Italic />
          <MantineEditor.Underline />
          <MantineEditor.Strikethrough />
          <MantineEditor.ClearFormatting />
        </Tools>
        <Tools>
          <MantineEditor.H1 />
          <MantineEditor.H2 />
          <MantineEditor.H3 />
        </Tools>
        <Tools>
          <MantineEditor.BulletList />
          <MantineEditor.OrderedList />
          <MantineEditor.Blockquote />
        </Tools>
        <Tools>
          <MantineEditor.Link initialExternal />
          <MantineEditor.Unlink />
        </Tools>
        <Tools>
          <MantineEditor.Undo />
          <MantineEditor.Redo />
        </Tools>
        <Tools>
          <MantineEditor.Control
            aria-label={t('richText.editSource')}
            title={t('richText.editSource')}
            onClick={props.onSwitch}
          >
            <IconCode size={16} aria-hidden="true" />
          </MantineEditor.Control>
        </Tools>
      </MantineEditor.Toolbar>
      <MantineEditor.Content />
    </MantineEditor>
  );
}

function useLabels(): Partial<RichTextEditorLabels> {
  const t = useText();
  return useMemo(
    () => ({
      boldControlLabel: t('richText.bold'),
      italicControlLabel: t('richText.italic'),
      underlineControlLabel: t('richText.underline'),
      strikeControlLabel: t('richText.strike'),
      clearFormattingControlLabel: t('richText.clear'),
      h1ControlLabel: t('richText.heading', { level: '1' }),
      h2ControlLabel: t('richText.heading', { level: '2' }),
      h3ControlLabel: t('richText.heading', { level: '3' }),
      bulletListControlLabel: t('richText.bullets'),
      orderedListControlLabel: t('richText.numbers'),
      blockquoteControlLabel: t('richText.quote'),
      linkControlLabel: t('richText.link'),
      unlinkControlLabel: t('richText.unlink'),
      undoControlLabel: t('richText.undo'),
      redoControlLabel: t('richText.redo'),
      linkEditorInputLabel: t('richText.address'),
      linkEditorInputPlaceholder: 'https://example.com',
      linkEditorSave: t('richText.setLink'),
    }),
    [t],
  );
}
