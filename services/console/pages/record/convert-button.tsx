import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { useRights, useRightsOf } from '../../api/rights.ts';
import { useText } from '../../language/language.tsx';

/** The convert button of a record that can be converted and has not been yet. */
export function ConvertButton({
  entity,
  record,
}: {
  readonly entity: Entity;
  readonly record: AnyRecord;
}) {
  const t = useText();
  const mayEdit = useRights(entity.name).may('edit');
  const rightsOf = useRightsOf();
  const targets = entity.convertEntityList ?? [];
  const isConverted = record[entity.scope.statusField ?? ''] === entity.convertedStatus;
  if (targets.length === 0 || isConverted || !mayEdit) return null;
  if (!targets.some((target) => rightsOf(target).may('create'))) return null;
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/convert/$id" params={{ id: record.id }} {...props} />}
    >
      {t('convert.convert')}
    </Button>
  );
}
