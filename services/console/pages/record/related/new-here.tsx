import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useRights } from '../../../api/rights.ts';
import { useText } from '../../../language/language.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { useSearchState } from '../../../parts/list/search-state.ts';
import { linkingField, linkingValues, readLinkingValues } from './linking-values.ts';

/** Opens the form of a new record that is linked with this one. */
export function NewHere(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly link: string;
  readonly target: Entity;
  /** Names only the type, for places that make the link obvious. */
  readonly isShort?: boolean;
}) {
  const t = useText();
  const { target, isShort = false } = props;
  const rights = useRights(target.name);
  const values = linkingValues(props, target);
  const foreign = linkingField(props, target) ?? '';
  const mayCreate = target.scope.tab && rights.may('create') && rights.mayEditField(foreign);
  if (values === undefined || !mayCreate) return null;
  return (
    <ButtonLink
      to="/create/$entity"
      params={{ entity: target.name }}
      search={() => ({ linked: values })}
      {...(isShort ? short : {})}
    >
      {t(isShort ? 'record.create' : 'related.newHere', { entity: target.label })}
    </ButtonLink>
  );
}

const short = {
  variant: 'default',
  size: 'compact-sm',
  leftSection: <IconPlus size={14} aria-hidden="true" />,
} as const;

/**
 * Returns the values in the address of the form for a new record: the link with the record it was opened from, the times
 * that were chosen in the calendar, or the status of a board's column.
 */
export function useLinkingValues(entity: Entity) {
  const readers = useMemo(
    () => ({ linked: (raw: unknown) => readLinkingValues(entity, raw) }),
    [entity],
  );
  const [{ linked }] = useSearchState<{
    readonly linked: ReturnType<typeof readLinkingValues>;
  }>(readers);
  return linked;
}
