import { IconPlus } from '@tabler/icons-react';
import type { Entity } from '../../api/metadata.ts';
import { useRights } from '../../api/rights.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';

/** Opens the form for a new record. Shows nothing to users who cannot create records of this type. */
export function CreateButton({ entity }: { readonly entity: Entity }) {
  const t = useText();
  if (!useRights(entity.name).may('create')) return null;
  return (
    <ButtonLink
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      to="/create/$entity"
      params={{ entity: entity.name }}
      aria-label={t('record.create', { entity: entity.label })}
      className="labelled"
    >
      {t('records.create')}
    </ButtonLink>
  );
}
