import { useQuery } from '@tanstack/react-query';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { RecordCell } from '../../fields/record-cell.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { OverdueBadge } from '../../parts/overdue-badge.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { EntryList } from './entry-list.tsx';
import { openOpportunitiesQuery } from './home.ts';

/** The open opportunities of the user, the earliest closing date first. Shows nothing to users who have none. */
export function OpenOpportunities({ entity }: { readonly entity: Entity }) {
  const t = useText();
  const { data = [] } = useQuery(openOpportunitiesQuery(entity));
  if (data.length === 0) return null;
  const title = t('home.openRecords', { entity: entity.labelPlural });
  return (
    <Panel
      title={title}
      actions={
        <ButtonLink
          to="/board/$entity"
          params={{ entity: entity.name }}
          search={() => ({ filter: 'open,mine' })}
          size="compact-sm"
          variant="default"
        >
          {t('board.open')}
        </ButtonLink>
      }
    >
      <EntryList
        label={title}
        empty=""
        entries={data.map((record) => ({
          key: record.id,
          title: <RecordLink entity={entity.name} id={record.id} name={record['name']} />,
          detail: <Details entity={entity} record={record} />,
          when: <Closes record={record} />,
        }))}
      />
    </Panel>
  );
}

/** The stage, the amount and the account. */
function Details({ entity, record }: { readonly entity: Entity; readonly record: AnyRecord }) {
  const { accountId, accountName } = record;
  return (
    <>
      <RecordCell entity={entity} record={record} name="stage" />{' '}
      <RecordCell entity={entity} record={record} name="amount" />
      {typeof accountId === 'string' ? (
        <>
          {' · '}
          <RecordLink underline="always" entity="Account" id={accountId} name={accountName} />
        </>
      ) : null}
    </>
  );
}

function Closes({ record: { closeDate } }: { readonly record: AnyRecord }) {
  const format = useFormat();
  if (typeof closeDate !== 'string') return null;
  return (
    <>
      <OverdueBadge due={{ dateEndDate: closeDate }} />
      {format.day(closeDate)}
    </>
  );
}
