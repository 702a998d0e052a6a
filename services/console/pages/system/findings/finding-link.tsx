import type { FindingLink } from '../../../api/system.ts';
import { usePageText } from '../../../language/page-text.ts';
import { TextLink } from '../../../parts/link.tsx';

/** A link to a record or list that a finding concerns. */
export function LinkOfFinding({ link }: { readonly link: FindingLink }) {
  const t = usePageText();
  const { kind, entityType: entity = '', id = '' } = link;
  const name = link.name ?? `${entity} ${id}`;
  if (kind === 'rejectedEntries') {
    return (
      <TextLink inherit to="/log" search={{ tab: 'rejected' }}>
        {t('log.tabRejected')}
      </TextLink>
    );
  }
  if (kind === 'definition') {
    return (
      <TextLink inherit to="/definitions/$entity" params={{ entity }}>
        {entity}
      </TextLink>
    );
  }
  if (entity === 'Webhook') {
    // `0ca7a81001077281f at https://example.org/hook`
    return (
      <TextLink inherit to="/webhooks/$id" params={{ id }}>
        {name.replace(`${id} at `, '')}
      </TextLink>
    );
  }
  if (entity === 'User') {
    return (
      <TextLink inherit to="/people/$kind/$id" params={{ kind: 'users', id }}>
        {name}
      </TextLink>
    );
  }
  return (
    <TextLink inherit to="/records/$entity/$id" params={{ entity, id }}>
      {name}
    </TextLink>
  );
}
