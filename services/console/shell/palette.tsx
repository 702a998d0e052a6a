import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { type Metadata, useTypeLabel } from '../api/metadata.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { pagesFor, tabsOf } from './tabs.ts';

export const openPalette = spotlight.open;

const waitMs = 200;

/** The search dialog of Ctrl-K: pages by name, and records of all entity types by the API's search. */
export function Palette({ metadata }: { readonly metadata: Metadata }) {
  const t = useText();
  const [query, setQuery] = useState('');
  const found = useFoundRecords(query);
  const pages = usePages(metadata);
  const search = query.trim().toLowerCase();
  const matching = pages.filter(({ label }) => label.toLowerCase().includes(search));
  const groups: SpotlightActionGroupData[] = [
    { group: t('search.pages'), actions: matching },
    { group: t('search.records'), actions: found },
  ];
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      // The server has already filtered the records.
      filter={(_query, actions) => actions}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      nothingFound={t('search.nothing')}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden="true" />,
        placeholder: t('search.hint'),
        'aria-label': t('search.hint'),
      }}
    />
  );
}

function usePages(metadata: Metadata) {
  const navigate = useNavigate();
  const t = useText();
  const pages = pagesFor(useUser(), metadata).map(({ to, title }) => ({
    id: `page${to}`,
    label: t(title),
    onClick: () => void navigate({ to }),
  }));
  const records = tabsOf(metadata).map(({ name, labelPlural }) => ({
    id: `page-${name}`,
    label: labelPlural,
    onClick: () => void navigate({ to: '/records/$entity', params: { entity: name } }),
  }));
  return [...records, ...pages];
}

interface Found {
  readonly id: string;
  readonly name?: string;
  readonly _scope: string;
}

function useFoundRecords(query: string) {
  const typeLabel = useTypeLabel();
  const navigate = useNavigate();
  const [settled] = useDebouncedValue(query.trim(), waitMs);
  const { data } = useQuery({
    queryKey: ['palette', settled],
    queryFn: async ({ signal }) => {
      const found = await bodyOf(
        api.GET('/GlobalSearch', { params: { query: { q: settled, maxSize: 20 } }, signal }),
      );
      return found.list as unknown as readonly Found[];
    },
    enabled: settled.length > 1,
    retry: false,
  });
  return (settled === '' ? [] : (data ?? [])).map(({ id, name, _scope }) => ({
    id: `${_scope}-${id}`,
    label: name || id,
    description: typeLabel(_scope),
    onClick: () => void navigate({ to: '/records/$entity/$id', params: { entity: _scope, id } }),
  }));
}
