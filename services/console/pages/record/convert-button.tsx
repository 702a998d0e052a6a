import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { useRights } from '../../api/rights.ts';
import { useText } from '../../language/language.tsx';

/** For a lead that has not become anything yet. */
export function ConvertButton({
  entity,
  record,
}: {
  readonly entity: Entity;
  readonly record: AnyRecord;
}) {
  const t = useText();
  const targets = [useRights('Account'), useRights('Contact'), useRights('Opportunity')];
  const mayEdit = useRights(entity.name).may('edit');
  if (entity.name !== 'Lead' || record['status'] === 'Converted' || !mayEdit) return null;
  if (!targets.some((rights) => rights.may('create'))) return null;
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/convert/$id" params={{ id: record.id }} {...props} />}
    >
      {t('convert.convert')}
    </Button>
  );
}
