import { ActionIcon, Box, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import {
  lazy,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Entity, Field } from '../../../api/metadata.ts';
import type { AnyRecord, ReadRecord } from '../../../api/records.ts';
import { Overdue } from '../../../fields/overdue.tsx';
import { FieldValue } from '../../../fields/value-types.tsx';
import { useText } from '../../../language/language.tsx';
import { TimeAndAge } from '../../../parts/time.tsx';
import { type EditAccess, useInputsOf } from './edit-access.ts';
import styles from './facts.module.css';

const FactEditor = lazy(async () => ({
  default: (await import('./fact-editor.tsx')).FactEditor,
}));

/** A record whose facts can be edited one by one. */
export interface EditedRecord {
  readonly found: ReadRecord;
  readonly access: EditAccess;
}

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly name: string;
  readonly isWide: boolean;
  /** Undefined if fields are only shown. */
  readonly edited: EditedRecord | undefined;
  /** Called when the input of the fact opens. */
  readonly onEdit: () => void;
}

/** A field with its label, and its value or, while the user edits it, its inputs. */
export function Fact(props: Props) {
  const { entity, record, name, isWide, edited } = props;
  const [isOpen, setOpen] = useState(false);
  const pencil = useFocusAfter(isOpen);
  const inputs = useInputsOf(entity, name);
  const field = entity.fields[name];
  if (field === undefined) return null;
  const label = entity.labelOf(name);
  if (isOpen && edited !== undefined) {
    const isRow = isWide || inputs.length > 1 || spacious.has(field.type);
    return (
      <Box miw={0} className={isRow ? (styles['wide'] ?? '') : ''}>
        <dt className="visually-hidden">{label}</dt>
        <Box component="dd" m={0}>
          <Suspense fallback={<Skeleton h={56} />}>
            <FactEditor
              entity={entity}
              found={edited.found}
              names={inputs}
              label={label}
              onDone={() => setOpen(false)}
            />
          </Suspense>
        </Box>
      </Box>
    );
  }
  return (
    <Box miw={0} className={isWide ? (styles['wide'] ?? '') : ''}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Editable
        label={label}
        access={inputs.length === 0 ? undefined : edited?.access}
        pencil={pencil}
        onOpen={() => {
          props.onEdit();
          setOpen(true);
        }}
      >
        {edited === undefined ? null : <Overdue entity={entity} record={record} name={name} />}
        {isServerTime(field) ? (
          <ServerTime value={record[name]} />
        ) : (
          <FieldValue entity={entity} record={record} name={name} field={field} />
        )}
      </Editable>
    </Box>
  );
}

/** Lists show only the age of such a time. */
function isServerTime({ type, readOnly }: Field): boolean {
  return type === 'datetime' && readOnly === true;
}

function ServerTime({ value }: { readonly value: unknown }) {
  return typeof value === 'string' && value !== '' ? <TimeAndAge value={value} /> : null;
}

/** The types whose inputs take a whole row. */
const spacious: ReadonlySet<string> = new Set([
  'address',
  'attachmentMultiple',
  'email',
  'linkParent',
  'phone',
  'text',
  'wysiwyg',
]);

/** Returns a reference to the button that receives the focus after its input was closed from within. */
function useFocusAfter(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // Elsewhere if the user has moved on.
    const isLost = document.activeElement === document.body;
    if (wasOpen.current && !isOpen && isLost) button.current?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}

/** A value, with a button that opens its input if the user may edit it, or else the reason on hover. */
function Editable(props: {
  readonly label: string;
  readonly access: EditAccess | undefined;
  readonly pencil: RefObject<HTMLButtonElement | null>;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) {
  const t = useText();
  const { access, onOpen, children } = props;
  const value = (
    <Text component="div" size="sm" className={`field-value ${styles['value']}`}>
      {children}
    </Text>
  );
  const isOpenable = access?.isOffered === true && access.denial === undefined;
  const openByClick = (event: MouseEvent): void => {
    if (isPlainClick(event)) onOpen();
  };
  const shown = (
    <Box
      component="dd"
      m={0}
      className={styles['editable'] ?? ''}
      {...(isOpenable ? { onClick: openByClick } : {})}
    >
      {value}
      {isOpenable ? (
        <ActionIcon
          ref={props.pencil}
          variant="subtle"
          color="gray"
          size={24}
          className={styles['pencil'] ?? ''}
          aria-label={t('record.change', { field: props.label })}
          onClick={onOpen}
        >
          <IconPencil size={16} aria-hidden="true" />
        </ActionIcon>
      ) : null}
    </Box>
  );
  if (access?.isOffered !== true || access.denial === undefined) return shown;
  return (
    <Tooltip label={access.denial} multiline maw={320} position="top-start">
      {shown}
    </Tooltip>
  );
}

/** False for clicks on links and buttons in the value, and for clicks that end the selection of a text. */
function isPlainClick({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, summary') !== null;
  return !isOnControl && window.getSelection()?.isCollapsed !== false;
}
