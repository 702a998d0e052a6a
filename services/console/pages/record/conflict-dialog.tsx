import { Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isConflict } from '../../api/errors.ts';
import { laterChangesQuery, type Version } from '../../api/history.ts';
import type { Entity } from '../../api/metadata.ts';
import type { ReadRecord } from '../../api/records.ts';
import { Author } from '../../fields/author.tsx';
import { CompareTable } from '../../fields/compare-table.tsx';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { DialogActions } from '../../parts/dialog.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { mergeChanges, wholeOf, wholeValuesOf } from './merge-changes.ts';

interface Props {
  readonly entity: Entity;
  /** The version with which the form was opened. */
  readonly base: ReadRecord;
  /** The form's changes to that version. */
  readonly changed: Values;
  readonly isSaving: boolean;
  /** Why the latest attempt to save failed. */
  readonly error: unknown;
  readonly onSave: (values: Values, latest: ReadRecord) => void;
  readonly onClose: () => void;
}

type Sides = Readonly<Record<string, string>>;

/** Shows who has changed the record since the form was opened, and merges both changes field by field. */
export function ConflictDialog(props: Props) {
  const t = useText();
  const { entity, base, onClose } = props;
  const later = useQuery(laterChangesQuery(entity.name, base));
  const tag = later.data?.latest.tag;
  // A choice applies to the values that were shown, which only another version of the record replaces.
  const [chosen, setChosen] = useState<{ readonly of?: string; readonly sides: Sides }>({
    sides: {},
  });
  const sides = chosen.of === tag ? chosen.sides : {};
  return (
    <Modal opened onClose={onClose} size="xl" title={t('conflict.title')}>
      {later.data === undefined || tag === undefined ? (
        <Pending query={later} height={160} />
      ) : (
        <Compared
          {...props}
          isSaving={props.isSaving || later.isFetching}
          latest={later.data.latest}
          changes={later.data.changes}
          sides={sides}
          onChoose={(more) => setChosen({ of: tag, sides: { ...sides, ...more } })}
        />
      )}
    </Modal>
  );
}

const theirs = 'theirs';
const mine = 'mine';

function Compared(
  props: Props & {
    readonly latest: ReadRecord;
    readonly changes: readonly Version[];
    /** The chosen side by field; the user's own if absent. */
    readonly sides: Sides;
    readonly onChoose: (sides: Sides) => void;
  },
) {
  const t = useText();
  const { entity, base, latest, changed, changes } = props;
  const merged = mergeChanges(entity, { base: base.record, latest: latest.record, changed });
  const chosenFor = (field: string): string => props.sides[field] ?? mine;
  const shown: Values = { ...base.record, ...changed };
  const own = merged.conflicts.filter((field) => chosenFor(field) === mine);
  return (
    <Stack>
      <Changes changes={changes} />
      {merged.conflicts.length === 0 ? (
        <Text size="sm">{t('conflict.none')}</Text>
      ) : (
        <>
          <Text size="sm">{t('conflict.choose')}</Text>
          <CompareTable
            label={t('conflict.title')}
            entity={entity}
            names={merged.conflicts}
            compared={[
              {
                record: { ...latest.record, id: theirs },
                label: t('conflict.theirs'),
                title: t('conflict.theirs'),
              },
              {
                record: { ...shown, id: mine },
                label: t('forms.entered'),
                title: t('forms.entered'),
              },
            ]}
            choice={{
              chosen: chosenFor,
              onChoose: (field, side) =>
                props.onChoose(
                  Object.fromEntries(wholeOf(entity, field).map((one) => [one, side])),
                ),
            }}
          />
        </>
      )}
      <OtherFields entity={entity} names={merged.theirs} />
      <ErrorAlert error={isConflict(props.error) ? null : props.error} />
      <DialogActions
        label={t('parts.save')}
        isPending={props.isSaving}
        onAct={() =>
          props.onSave({ ...merged.values, ...wholeValuesOf(entity, own, shown) }, latest)
        }
        onCancel={props.onClose}
      />
    </Stack>
  );
}

function Changes({ changes }: { readonly changes: readonly Version[] }) {
  const t = useText();
  return changes.map((change) => (
    <Group key={change.version} gap={6}>
      <Text size="sm" component="div">
        {change.byId === null ? (
          t('conflict.unknown')
        ) : (
          <Author event={{ ...change, byId: change.byId }} />
        )}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        <Time value={change.at} />
      </Text>
    </Group>
  ));
}

/** Names the fields that only others have changed, and which are kept. */
function OtherFields(props: { readonly entity: Entity; readonly names: readonly string[] }) {
  const t = useText();
  const { entity, names } = props;
  if (names.length === 0) return null;
  const fields = names.map((name) => entity.labelOf(name)).join(', ');
  return <Text size="sm">{t('conflict.others', { fields })}</Text>;
}
