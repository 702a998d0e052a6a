import { ActionIcon, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { useRecordRights } from '../../api/rights.ts';
import { setStarred } from '../../api/stream.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';

/** Adds the record to the user's starred records, or removes it. */
export function StarButton(props: { readonly entity: Entity; readonly record: AnyRecord }) {
  const t = useText();
  const { entity, record } = props;
  const { stream } = useRecordRights(entity, record);
  const queries = useQueryClient();
  const starring = useMutation({
    mutationFn: (isOn: boolean) => setStarred(entity.name, record.id, isOn),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['records', entity.name] }),
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  if (!entity.scope.stream || !stream.isGranted) return null;
  const isOn = starring.isPending ? starring.variables : record['isStarred'] === true;
  const label = t('record.star');
  const Icon = isOn ? IconStarFilled : IconStar;
  return (
    <Tooltip label={isOn ? t('record.unstar') : label}>
      <ActionIcon
        variant="subtle"
        color={isOn ? 'yellow' : 'gray'}
        size={36}
        aria-label={label}
        aria-pressed={isOn}
        onClick={() => starring.mutate(!isOn)}
      >
        <Icon size={18} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  );
}
