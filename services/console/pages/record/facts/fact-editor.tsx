import { Button, Group, Stack } from '@mantine/core';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { isConflict } from '../../../api/errors.ts';
import type { Entity } from '../../../api/metadata.ts';
import { useProblems } from '../../../api/problems.ts';
import type { ReadRecord } from '../../../api/records.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { fieldsWith, useOpenProblems, useSaveKey } from '../../../fields/form-behaviour.ts';
import type { Values } from '../../../fields/input-parts.ts';
import { OneInput } from '../../../fields/panel-inputs.tsx';
import { Conflict, StillSaving } from '../../../fields/values-form.tsx';
import { useText } from '../../../language/language.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { UnsavedGuard } from '../../../parts/unsaved-guard.tsx';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { isSame } from '../merge-changes.ts';
import { useSaving } from '../use-saving.tsx';

type Form = RefObject<HTMLFormElement | null>;

/**
 * The inputs of one fact. Enter, Ctrl-S and leaving the inputs save, Escape discards. If the record has changed in the
 * meantime, offers to merge both changes.
 */
export function FactEditor(props: {
  readonly entity: Entity;
  readonly found: ReadRecord;
  /** The fields to edit together. */
  readonly names: readonly string[];
  readonly label: string;
  readonly onDone: () => void;
}) {
  const t = useText();
  const { entity, names, onDone } = props;
  // The version that the user edits, although the page loads later ones.
  const [base] = useState(props.found);
  const { changed, hasChanges, change } = useChanges(base);
  const [isComparing, setComparing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const saving = useSaving({
    entity,
    id: base.record.id,
    onDone,
    onConflict: () => setComparing(true),
  });
  const { error, isPending } = saving;
  const { problems, clear } = useOpenProblems(error, useProblems(entity, error));
  const save = (): void => {
    if (isPending) return;
    if (hasChanges) saving.mutate({ values: changed, version: base });
    else onDone();
  };
  const leaving = useSaveOnLeaving(() => {
    // The server has already rejected this input.
    const isRejected = error !== null && saving.variables?.values === changed;
    if (!isComparing && !isRejected && !holdsFiles(entity, names)) save();
  });
  useSaveKey(form, isPending);
  useFirstFocus(form);
  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label={t('record.change', { field: props.label })}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        onKeyDown={(event) => onKey(event, onDone)}
        {...leaving}
      >
        <UnsavedGuard isUnsaved={hasChanges && !isPending} />
        <Stack gap="xs">
          {names.map((name) => (
            <OneInput
              key={name}
              entity={entity}
              name={name}
              values={{ ...base.record, ...changed }}
              problems={problems}
              onChange={(more) => {
                change(more);
                const attributes = Object.keys(more);
                clear([...attributes, ...fieldsWith(entity, attributes)]);
              }}
            />
          ))}
          <EditorError
            error={error}
            isAtField={names.some((name) => problems.has(name))}
            onCompare={() => setComparing(true)}
          />
          <EditorButtons isSaving={isPending} onCancel={onDone} />
        </Stack>
      </form>
      {isComparing ? (
        <ConflictDialog
          entity={entity}
          base={base}
          changed={changed}
          isSaving={isPending}
          error={error}
          onSave={(values, version) => saving.mutate({ values, version })}
          onClose={() => setComparing(false)}
        />
      ) : null}
    </>
  );
}

/** The values that the user has entered. `hasChanges` is false if they equal those of the record. */
function useChanges({ record }: ReadRecord) {
  const [changed, setChanged] = useState<Values>({});
  return {
    changed,
    hasChanges: Object.entries(changed).some(([name, value]) => !isSame(value, record[name])),
    change: (more: Values) => setChanged((before) => ({ ...before, ...more })),
  };
}

/** Shows an error, unless it is shown at the field. */
function EditorError(props: {
  readonly error: unknown;
  readonly isAtField: boolean;
  readonly onCompare: () => void;
}) {
  if (isConflict(props.error)) return <Conflict onCompare={props.onCompare} />;
  return props.isAtField ? null : <ErrorAlert error={props.error} />;
}

function EditorButtons(props: { readonly isSaving: boolean; readonly onCancel: () => void }) {
  const t = useText();
  const { isSaving, onCancel } = props;
  return (
    <Group gap="xs">
      <Button size="compact-sm" type="submit" loading={isSaving}>
        {t('parts.save')}
      </Button>
      {/* Safari does not focus clicked buttons, so that a click on the button would count as leaving. */}
      <Button
        size="compact-sm"
        variant="default"
        onMouseDown={(event) => event.preventDefault()}
        onClick={onCancel}
      >
        {t('parts.cancel')}
      </Button>
      <StillSaving isSaving={isSaving} />
    </Group>
  );
}

/** An upload may still be running when the focus leaves its input. */
function holdsFiles({ fields }: Entity, names: readonly string[]): boolean {
  return names.some((name) => {
    const field = fields[name];
    return field !== undefined && fieldTypeOf(field).holdsFiles !== undefined;
  });
}

/** Escape discards the input, and Enter saves in an input for options, where browsers do not submit the form. */
function onKey(event: KeyboardEvent<HTMLFormElement>, onDone: () => void): void {
  const { target, currentTarget: form } = event;
  // A list of suggestions or a calendar closes first.
  const isOwn = target instanceof Element && form.contains(target);
  if (!isOwn || target.getAttribute('aria-expanded') === 'true') return;
  if (event.key === 'Escape') onDone();
  if (event.key === 'Enter' && target instanceof HTMLSelectElement) {
    event.preventDefault();
    form.requestSubmit();
  }
}

/**
 * Returns the properties of a form that is saved when the focus leaves it. A list of suggestions or a calendar is
 * elsewhere in the document, but its events reach the form.
 */
function useSaveOnLeaving(save: () => void) {
  const timer = useRef<number>(undefined);
  // Inputs that accept a text only when they lose the focus change the values first.
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onFocus: () => clearTimeout(timer.current),
    onBlur({ relatedTarget, currentTarget }: FocusEvent<HTMLFormElement>): void {
      if (currentTarget.contains(relatedTarget)) return;
      timer.current = window.setTimeout(() => {
        // Another window may be in front.
        if (document.hasFocus()) latest.current();
      });
    },
  };
}

const texts = 'input:not([type=hidden]), textarea, select, [contenteditable=true]';

/** Moves the focus to the first input, which may have to be loaded. */
function useFirstFocus(form: Form): void {
  useEffect(() => {
    const { current } = form;
    if (current === null) return;
    const focusFirst = (): boolean => {
      const inputs = [...current.querySelectorAll<HTMLElement>(texts)];
      const shown = inputs.find(({ offsetParent }) => offsetParent !== null);
      // A file is chosen with a button.
      const first = shown ?? (inputs.length > 0 ? current.querySelector('button') : null);
      first?.focus();
      return first !== null;
    };
    if (focusFirst()) return;
    const observer = new MutationObserver(() => {
      if (focusFirst()) observer.disconnect();
    });
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [form]);
}
