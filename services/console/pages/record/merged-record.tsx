import { notifications } from '@mantine/notifications';
import { Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api/errors.ts';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';

/** Returns the id of the record into which the requested one was merged, if that is why it cannot be read. */
export function mergeTargetIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'record.merged') return undefined;
  const { mergedInto } = Object(error.body);
  return typeof mergedInto === 'string' ? mergedInto : undefined;
}

/** Opens the target of a merge instead of a record that was merged into it. */
export function MergedRecord(props: { readonly entity: Entity; readonly targetId: string }) {
  const t = useText();
  const { entity, targetId } = props;
  useEffect(() => {
    notifications.show({ id: `merged-${targetId}`, message: t('record.merged') });
  }, [targetId, t]);
  return (
    <Navigate to="/records/$entity/$id" params={{ entity: entity.name, id: targetId }} replace />
  );
}
