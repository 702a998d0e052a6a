import { Alert, Button, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ApiError, isQuarantine } from '../api/errors.ts';
import { type Entity, type Field, usePanelLabel } from '../api/metadata.ts';
import { useProblems } from '../api/problems.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { InView } from '../parts/in-view.tsx';
import { ErrorDetails, LoadError } from '../parts/page/load-error.tsx';
import { UnsavedGuard } from '../parts/unsaved-guard.tsx';
import { Duplicates } from './duplicates.tsx';
import { fieldTypeOf } from './field-types.ts';
import type { Values } from './input-parts.ts';
import { FieldInput, isEntered } from './input-types.tsx';

/** A group of fields. */
export interface Panel {
  readonly label: string;
  readonly names: readonly string[];
}

/** Lets a form show inputs that are not fields of the record. */
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
}

/** A form with the fields that the user may set. Shows the server's validation errors at their fields. */
export function ValuesForm(props: Props) {
  const t = useText();
  const { entity, initial, panelsOf } = props;
  const [changed, setChanged] = useState<Values>({});
  const values = { ...initial, ...changed };
  const change = (more: Values) => setChanged((before) => ({ ...before, ...more }));
  const problems = useProblems(entity, props.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    props.onSave(changed);
  };
  return (
    <form onSubmit={submit} noValidate>
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
        {panelsOf(values).map(({ label, names }) => (
          <PanelInputs
            key={label}
            label={label}
            names={names}
            entity={entity}
            values={values}
            problems={problems}
            onChange={change}
          />
        ))}
        {props.extra?.({ values, problems, onChange: change })}
        <Group>
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

/** Says that saving takes longer than usual. */
function StillSaving({ isSaving }: { readonly isSaving: boolean }) {
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

interface PanelInputsProps extends Panel {
  readonly entity: Entity;
  readonly values: Values;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Values) => void;
}

/** The inputs of a panel that the user may set. */
export function PanelInputs(props: PanelInputsProps) {
  const { entity } = props;
  const restricted = useRestrictedFields(entity.name);
  const panelLabel = usePanelLabel();
  const names = props.names
    .flatMap((name) => enteredFor(entity.fields[name], name))
    .filter((name) => !restricted.has(name));
  const entered = names.flatMap((name) => {
    const field = entity.fields[name];
    return field !== undefined && isEntered(field) ? [{ name, field }] : [];
  });
  if (entered.length === 0) return null;
  return (
    <Fieldset legend={panelLabel(props.label)}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {entered.map(({ name, field }) => (
          <FieldInput
            key={name}
            entity={entity}
            name={name}
            field={field}
            label={entity.labelOf(name)}
            values={props.values}
            error={props.problems.get(name)}
            onChange={props.onChange}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

function enteredFor(field: Field | undefined, name: string): readonly string[] {
  return (field && fieldTypeOf(field).composedOf?.(name)) ?? [name];
}

function useRestrictedFields(entity: string): ReadonlySet<string> {
  const { acl } = useUser();
  const levels = Object.entries(acl.fieldTable[entity] ?? {});
  return new Set(levels.filter(([, { edit }]) => edit === 'no').map(([name]) => name));
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
    return (
      <Alert color="yellow" title={t('forms.conflict')} role="alert">
        <Text size="sm">{t('forms.conflictText')}</Text>
        <Button mt="xs" size="xs" variant="default" onClick={props.onReload}>
          {t('forms.reload')}
        </Button>
      </Alert>
    );
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
