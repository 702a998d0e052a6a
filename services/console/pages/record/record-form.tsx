import { Alert, Button, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { problemsIn } from '../../api/field-problems.ts';
import type { Entity } from '../../api/metadata.ts';
import { type AnyRecord, panelsQuery } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { FieldInput, isEntered } from '../../fields/field-input.tsx';
import type { Values } from '../../fields/input-parts.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { ErrorDetails, LoadError } from '../../parts/load-error.tsx';
import { PageSkeleton } from '../../parts/page-skeleton.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

interface Props {
  readonly entity: Entity;
  /** What the record is; only defaults for a new one. */
  readonly initial: Values;
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Gets what was changed alone. */
  readonly onSave: (changed: Values, options?: { readonly skipDuplicateCheck?: boolean }) => void;
  readonly onCancel: () => void;
  readonly onReload?: () => void;
}

/** Every field of the type that the user may set; what the server says of a field stands at the field. */
export function RecordForm(props: Props) {
  const t = useText();
  const { entity, initial } = props;
  const [changed, setChanged] = useState<Values>({});
  const form = useRef<HTMLFormElement>(null);
  const panels = useQuery(panelsQuery(entity.name));
  if (panels.data === undefined) {
    return panels.error === null ? <PageSkeleton /> : <LoadError error={panels.error} />;
  }
  const problems = problemsIn(props.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    props.onSave(changed);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <UnsavedGuard isUnsaved={Object.keys(changed).length > 0 && !props.isSaving} />
      <Stack>
        <FormError
          {...props}
          onSaveAnyway={() => props.onSave(changed, { skipDuplicateCheck: true })}
        />
        {panels.data.map(({ label, names }) => (
          <Panel
            key={label}
            label={label}
            names={names}
            entity={entity}
            values={{ ...initial, ...changed }}
            problems={problems}
            onChange={(values) => setChanged((before) => ({ ...before, ...values }))}
          />
        ))}
        <Group>
          <Button type="submit" loading={props.isSaving}>
            {t('record.save')}
          </Button>
          <Button variant="default" onClick={props.onCancel}>
            {t('record.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Panel(props: {
  readonly label: string;
  readonly names: readonly string[];
  readonly entity: Entity;
  readonly values: Values;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Values) => void;
}) {
  const { entity } = props;
  const closed = useClosedFields(entity.name);
  const names = props.names
    .flatMap((name) => (entity.fields[name]?.type === 'personName' ? partsOf(name) : [name]))
    .filter((name) => !closed.has(name));
  const entered = names.flatMap((name) => {
    const field = entity.fields[name];
    return field !== undefined && isEntered(field) ? [{ name, field }] : [];
  });
  if (entered.length === 0) return null;
  return (
    <Fieldset legend={props.label}>
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

/** A name of a person is made of these. */
function partsOf(name: string): readonly string[] {
  const part = name.charAt(0).toUpperCase() + name.slice(1);
  return [`salutation${part}`, `first${part}`, `middle${part}`, `last${part}`];
}

function useClosedFields(entity: string): ReadonlySet<string> {
  const { acl } = useUser();
  const levels = Object.entries(acl.fieldTable[entity] ?? {});
  return new Set(levels.filter(([, { edit }]) => edit === 'no').map(([name]) => name));
}

function FormError(props: Props & { readonly onSaveAnyway: () => void }) {
  const t = useText();
  const { error, entity } = props;
  if (error === null || error === undefined) return null;
  if (error instanceof ApiError && error.status === 412) {
    return (
      <Alert color="yellow" title={t('record.conflict')} role="alert">
        <Text size="sm">{t('record.conflictText')}</Text>
        <Button mt="xs" size="xs" variant="default" onClick={props.onReload}>
          {t('record.reload')}
        </Button>
      </Alert>
    );
  }
  if (error instanceof ApiError && error.status === 409 && Array.isArray(error.body)) {
    const duplicates: readonly AnyRecord[] = error.body;
    return (
      <Alert color="yellow" title={t('record.duplicates')} role="alert">
        <Stack gap="xs" align="flex-start">
          {duplicates.map((record) => (
            <RecordLink key={record.id} entity={entity.name} id={record.id} name={record['name']} />
          ))}
          <Button size="xs" variant="default" onClick={props.onSaveAnyway}>
            {t('record.createAnyway')}
          </Button>
        </Stack>
      </Alert>
    );
  }
  const count = error instanceof ApiError ? error.fields.length : 0;
  return (
    <Alert
      color="red"
      role="alert"
      {...(count > 0 ? { title: t('record.fieldsWrong', { count }) } : {})}
    >
      <ErrorDetails error={error} />
    </Alert>
  );
}
