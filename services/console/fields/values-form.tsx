import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, isQuarantine } from '../api/errors.ts';
import type { Entity } from '../api/metadata.ts';
import { useProblems } from '../api/problems.ts';
import { useText } from '../language/language.tsx';
import { InView } from '../parts/in-view.tsx';
import { ErrorDetails, LoadError } from '../parts/page/load-error.tsx';
import { UnsavedGuard } from '../parts/unsaved-guard.tsx';
import { Duplicates } from './duplicates.tsx';
import {
  fieldsWith,
  useFocusOnOpen,
  useFocusOnProblem,
  useOpenProblems,
  useSaveKey,
} from './form-behaviour.ts';
import type { Values } from './input-parts.ts';
import { type Panel, PanelInputs } from './panel-inputs.tsx';

/** Additional inputs, which are not fields of the record. */
interface Extra {
  readonly values: Values;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Values) => void;
}

interface Props {
  readonly entity: Entity;
  /** Returns the panels, which may depend on the input. */
  readonly panelsOf: (values: Values) => readonly Panel[];
  readonly extra?: (extra: Extra) => ReactNode;
  /** The record's values, or the defaults of a new record. */
  readonly initial: Values;
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Receives only the changed values. */
  readonly onSave: (changed: Values, options?: { readonly skipDuplicateCheck?: boolean }) => void;
  readonly onCancel?: () => void;
  readonly onReload?: () => void;
  /** Compares the input with the record's other changes, if it has changed in the meantime. */
  readonly onCompare?: () => void;
}

/** A form with the fields that the user may set. Shows the server's validation errors next to their fields. */
export function ValuesForm(props: Props) {
  const t = useText();
  const { entity, initial, panelsOf } = props;
  const [changed, setChanged] = useState<Values>({});
  const values = { ...initial, ...changed };
  const form = useRef<HTMLFormElement>(null);
  const { problems, clear } = useOpenProblems(props.error, useProblems(entity, props.error));
  const change = (more: Values): void => {
    setChanged((before) => ({ ...before, ...more }));
    const attributes = Object.keys(more);
    clear([...attributes, ...fieldsWith(entity, attributes)]);
  };
  useSaveKey(form, props.isSaving);
  useFocusOnOpen(form);
  useFocusOnProblem(form, props.error, problems.size > 0);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    props.onSave(changed);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <UnsavedGuard isUnsaved={Object.keys(changed).length > 0 && !props.isSaving} />
      <Stack>
        <InView of={props.error}>
          <FormError
            {...props}
            values={values}
            problems={problems}
            onSaveAnyway={() => props.onSave(changed, { skipDuplicateCheck: true })}
          />
        </InView>
        {panelsOf(values).map((panel) => (
          <PanelInputs
            key={panel.label}
            {...panel}
            entity={entity}
            values={values}
            problems={problems}
            onChange={change}
          />
        ))}
        {props.extra?.({ values, problems, onChange: change })}
        <Group className="save-bar">
          <Button type="submit" loading={props.isSaving}>
            {t('parts.save')}
          </Button>
          <StillSaving isSaving={props.isSaving} />
          {props.onCancel === undefined ? null : (
            <Button variant="default" onClick={props.onCancel}>
              {t('parts.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const STILL_SAVING_AFTER_MS = 3_000;

/** Reports that saving takes longer than usual. */
export function StillSaving({ isSaving }: { readonly isSaving: boolean }) {
  const t = useText();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSaving) return;
    const timer = setTimeout(() => setLong(true), STILL_SAVING_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isSaving]);
  return (
    <Text size="sm" role="status">
      {isLong ? t('forms.stillSaving') : ''}
    </Text>
  );
}

/** Reports that the record has changed in the meantime, and offers to compare or reload it. */
export function Conflict({ onCompare, onReload }: Pick<Props, 'onCompare' | 'onReload'>) {
  const t = useText();
  const isCompared = onCompare !== undefined;
  return (
    <Alert color="yellow" role="alert" title={t('forms.conflict')}>
      <Text size="sm">{t(isCompared ? 'conflict.text' : 'forms.conflictText')}</Text>
      <Button mt="xs" size="xs" variant="default" onClick={onCompare ?? onReload}>
        {t(isCompared ? 'conflict.compare' : 'forms.reload')}
      </Button>
    </Alert>
  );
}

interface FormErrorProps extends Props {
  readonly values: Values;
  readonly problems: ReadonlyMap<string, string>;
  readonly onSaveAnyway: () => void;
}

function FormError(props: FormErrorProps) {
  const t = useText();
  const { error, entity } = props;
  if (error === null || error === undefined) return null;
  if (isQuarantine(error)) return <LoadError error={error} />;
  if (error instanceof ApiError && error.status === 412) {
    return <Conflict {...props} />;
  }
  if (error instanceof ApiError && error.status === 409 && Array.isArray(error.body)) {
    return (
      <Duplicates
        entity={entity}
        entered={props.values}
        found={error.body}
        onSaveAnyway={props.onSaveAnyway}
      />
    );
  }
  const { problems } = props;
  if (problems.size === 0) {
    return (
      <Alert color="red" role="alert">
        <ErrorDetails error={error} />
      </Alert>
    );
  }
  return (
    <Alert color="red" role="alert" title={t('forms.invalidFields', { count: problems.size })}>
      {[...problems].map(([field, problem]) => (
        <Text key={field} size="sm">
          {problem}
        </Text>
      ))}
    </Alert>
  );
}
