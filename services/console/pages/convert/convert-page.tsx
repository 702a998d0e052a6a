import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { useProblems } from '../../api/problems.ts';
import { type AnyRecord, recordQuery } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { Duplicates } from '../../fields/duplicates.tsx';
import { isEntered } from '../../fields/field-types.ts';
import type { Values } from '../../fields/input-parts.ts';
import { defaultsOf, requiredValuesOf } from '../../fields/new-values.ts';
import { PanelInputs } from '../../fields/panel-inputs.tsx';
import { useText } from '../../language/language.tsx';
import { InView } from '../../parts/in-view.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { PendingPage } from '../../parts/page/pending.tsx';
import { UnsavedGuard } from '../../parts/unsaved-guard.tsx';
import { conversionQuery, convertedType, convertLead, type NewRecords } from './conversion.ts';

/** Converts a lead into an account, a contact and an opportunity, or into some of them. */
export function ConvertPage() {
  const t = useText();
  const { id } = useParams({ from: '/convert/$id' });
  const lead = useQuery(recordQuery(convertedType, id));
  const offered = useQuery(conversionQuery(id));
  const failed = [lead, offered].find(({ error }) => error !== null);
  if (lead.data === undefined || offered.data === undefined || failed !== undefined) {
    return <PendingPage title={t('convert.title', { name: id })} query={failed ?? lead} />;
  }
  const name = String(lead.data.record['name'] ?? id);
  return (
    <Stack p="md">
      <PageTitle>{t('convert.title', { name })}</PageTitle>
      <ConvertForm key={id} id={id} tag={lead.data.tag} offered={offered.data} />
    </Stack>
  );
}

interface Draft {
  readonly isMade: boolean;
  readonly values: Values;
}

type Drafts = Readonly<Record<string, Draft>>;

function ConvertForm(props: {
  readonly id: string;
  readonly tag: string;
  readonly offered: NewRecords;
}) {
  const t = useText();
  const navigate = useNavigate();
  const { id, tag, offered } = props;
  const targets = useTargets(offered);
  const status = useConvertedStatus();
  const session = useUser();
  const [drafts, setDrafts] = useState<Drafts>({});
  const toLead = () =>
    navigate({ to: '/records/$entity/$id', params: { entity: convertedType, id } });
  const draftOf = (entity: Entity): Draft => {
    const values = {
      ...defaultsOf(entity),
      ...requiredValuesOf(entity, session),
      ...offered[entity.name],
    };
    return drafts[entity.name] ?? { isMade: isComplete(entity, values), values };
  };
  const made = targets.filter((entity) => draftOf(entity).isMade);
  const converting = useConverting(id, tag);
  const convert = (skipDuplicateCheck: boolean): void => {
    const records = made.map((entity) => [entity.name, draftOf(entity).values] as const);
    converting.mutate({ records: Object.fromEntries(records), skipDuplicateCheck });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    convert(false);
  };
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedGuard isUnsaved={Object.keys(drafts).length > 0 && converting.isIdle} />
      <Stack>
        <Text size="sm">{t('convert.text', { status })}</Text>
        <InView of={converting.error}>
          <ConvertError
            error={converting.error}
            targets={made}
            valuesOf={(entity) => draftOf(entity).values}
            onConvertAnyway={() => convert(true)}
          />
        </InView>
        {targets.map((entity) => (
          <Target
            key={entity.name}
            entity={entity}
            offered={offered}
            draft={draftOf(entity)}
            made={made}
            error={converting.error}
            onChange={(draft) => setDrafts((before) => ({ ...before, [entity.name]: draft }))}
          />
        ))}
        <Group>
          <Button type="submit" disabled={made.length === 0} loading={converting.isPending}>
            {t('convert.do')}
          </Button>
          <Button variant="default" onClick={() => void toLead()}>
            {t('parts.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** True if the lead provides all required values for a record of the type. */
function isComplete({ fields }: Entity, values: Values): boolean {
  return Object.entries(fields).every(
    ([name, field]) =>
      field.required !== true || !isEntered(field) || Boolean(values[name] ?? values[`${name}Id`]),
  );
}

/** Returns the entity types into which the user may convert a lead. */
function useTargets(offered: NewRecords): readonly Entity[] {
  const metadata = useMetadata();
  return Object.keys(offered).flatMap((name) => metadata.get(name) ?? []);
}

/** Returns the label of a lead's status after the conversion. */
function useConvertedStatus(): string {
  const lead = useMetadata().get(convertedType);
  const { convertedStatus = '', scope: { statusField = '' } = {} } = lead ?? {};
  return lead?.optionOf(statusField, convertedStatus) ?? convertedStatus;
}

function useConverting(id: string, tag: string) {
  const t = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: Parameters<typeof convertLead>[1]) =>
      convertLead({ id, tag }, request),
    async onSuccess() {
      void queries.invalidateQueries({ queryKey: ['records'] });
      notifications.show({ message: t('convert.done') });
      const params = { entity: convertedType, id };
      await navigate({ to: '/records/$entity/$id', params, replace: true, ignoreBlocker: true });
    },
  });
}

function Target(props: {
  readonly entity: Entity;
  readonly offered: NewRecords;
  readonly draft: Draft;
  /** All entity types to create, possibly including this one. */
  readonly made: readonly Entity[];
  readonly error: unknown;
  readonly onChange: (draft: Draft) => void;
}) {
  const t = useText();
  const { entity, draft, error, onChange } = props;
  const problems = useProblems(entity, isAbout(error, entity) ? error : null);
  const begins = Object.keys(props.offered[entity.name] ?? {});
  const names = Object.entries(entity.fields).flatMap(([name, field]) => {
    if (!isEntered(field)) return [];
    const target = field.type === 'link' ? entity.links[name]?.entity : undefined;
    const isLinked = props.made.some((made) => made.name === target);
    if (isLinked) return [];
    // No record of this type will be created, so the user can select an existing one.
    if (target !== undefined && target in props.offered) return [name];
    const isOffered = begins.some((attribute) => attribute.startsWith(name));
    return field.required === true || isOffered ? [name] : [];
  });
  return (
    <Stack gap="xs">
      <Switch
        label={t('convert.make', { entity: entity.label })}
        checked={draft.isMade}
        onChange={({ currentTarget }) => onChange({ ...draft, isMade: currentTarget.checked })}
      />
      {draft.isMade ? (
        <PanelInputs
          label={entity.label}
          names={names}
          entity={entity}
          values={draft.values}
          problems={problems}
          onChange={(more) => onChange({ ...draft, values: { ...draft.values, ...more } })}
        />
      ) : null}
    </Stack>
  );
}

/** True if the error concerns the new record of this entity type: its reason contains the type. */
function isAbout(error: unknown, { name }: Entity): boolean {
  return error instanceof ApiError && error.reason.includes(`entityType: ${name},`);
}

function ConvertError(props: {
  readonly error: unknown;
  readonly targets: readonly Entity[];
  readonly valuesOf: (entity: Entity) => Values;
  readonly onConvertAnyway: () => void;
}) {
  const { error, targets, valuesOf } = props;
  if (error === null) return null;
  if (error instanceof ApiError && error.code === '' && Array.isArray(error.body)) {
    const found: readonly AnyRecord[] = error.body;
    return targets.map((entity) => {
      const own = found.filter(({ _entityType }) => _entityType === entity.name);
      if (own.length === 0) return null;
      return (
        <Duplicates
          key={entity.name}
          entity={entity}
          entered={valuesOf(entity)}
          found={own}
          onSaveAnyway={props.onConvertAnyway}
        />
      );
    });
  }
  return <ErrorAlert error={error} />;
}
