import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconPlus, IconSearch, IconTimeline } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { type Metadata, useTypeLabel } from '../api/metadata.ts';
import { isAdministrator, useRightsOf } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { pagesFor, tabsOf } from './tabs.ts';

const waitMs = 200;
const className = 'palette';

/**
 * The search dialog that Ctrl-K opens. It finds records of all entity types with the API's search, pages by name, and
 * commands. The first record is selected when it arrives, so that Enter opens it.
 */
export function Palette({ metadata }: { readonly metadata: Metadata }) {
  const t = useText();
  const [query, setQuery] = useState('');
  const found = useFoundRecords(query, metadata);
  const isMatching = matches(query);
  const pages = usePages(metadata).filter(isMatching);
  const commands = [...useTraceCommand(query), ...useCommands(metadata).filter(isMatching)];
  const groups: SpotlightActionGroupData[] = [
    { group: t('search.records'), actions: found },
    { group: t('search.pages'), actions: pages },
    { group: t('search.commands'), actions: commands },
  ];
  useFirstSelected(query === '' ? undefined : [...found, ...pages, ...commands][0]?.id);
  return (
    <Spotlight
      className={className}
      attributes={{ content: { 'aria-label': t('search.open') } }}
      query={query}
      onQueryChange={setQuery}
      // The server has already filtered the records.
      filter={(_query, actions) => actions}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      nothingFound={t('search.nothing')}
      shortcut={null}
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

/** Spotlight selects the first action when the query changes, but records are found later. */
function useFirstSelected(first: string | undefined): void {
  useEffect(() => {
    if (first === undefined) return;
    const selected = 'data-selected';
    const [action, ...others] = document.querySelectorAll(`.${className} [data-action]`);
    for (const other of others) other.removeAttribute(selected);
    action?.setAttribute(selected, 'true');
  }, [first]);
}

/** Returns a function that checks whether each word of the query begins a word of a label. */
function matches(query: string) {
  const wordsIn = (text: string) => text.toLowerCase().split(/[\s-]+/);
  const wanted = wordsIn(query.trim());
  return ({ label }: { readonly label: string }): boolean =>
    wanted.every((word) => wordsIn(label).some((one) => one.startsWith(word)));
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

function useCommands(metadata: Metadata) {
  const navigate = useNavigate();
  const t = useText();
  const rightsOf = useRightsOf();
  return tabsOf(metadata)
    .filter(({ name }) => rightsOf(name).may('create'))
    .map(({ name, label }) => ({
      id: `create-${name}`,
      label: t('record.create', { entity: label }),
      leftSection: <IconPlus size={16} aria-hidden="true" />,
      onClick: () => void navigate({ to: '/create/$entity', params: { entity: name } }),
    }));
}

/** Ids of requests, records and webhooks, or of batches. */
const idForm = /^(?:[0-9a-f]{17}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Offers administrators what happened around an id. */
function useTraceCommand(query: string) {
  const navigate = useNavigate();
  const t = useText();
  const isOffered = isAdministrator(useUser());
  const id = query.trim().toLowerCase();
  if (!isOffered || !idForm.test(id)) return [];
  return [
    {
      id: 'happened',
      label: t('search.happened', { id }),
      leftSection: <IconTimeline size={16} aria-hidden="true" />,
      onClick: () => void navigate({ to: '/happened/$id', params: { id } }),
    },
  ];
}

function useFoundRecords(query: string, metadata: Metadata) {
  const typeLabel = useTypeLabel();
  const navigate = useNavigate();
  const [settled] = useDebouncedValue(query.trim(), waitMs);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['palette', settled],
    queryFn: async ({ signal }) => {
      const params = { query: { q: settled, maxSize: 20 } };
      return (await bodyOf(api.GET('/GlobalSearch', { params, signal }))).list;
    },
    // Keeps the dialog from shrinking while the user types.
    placeholderData: keepPreviousData,
    enabled: settled.length > 1,
    retry: false,
  });
  const isCurrent = settled === query.trim() && !isPlaceholderData;
  const isMatching = matches(query);
  // Until the API has responded, only records that certainly match are shown, so that Enter cannot open a wrong one.
  const shown = (data ?? []).filter(({ name }) => isCurrent || isMatching({ label: name ?? '' }));
  return (query.trim().length > 1 ? shown : []).map(({ id, name, _scope, hint, hintAttribute }) => {
    const value =
      hint && hintAttribute && (metadata.get(_scope)?.optionOf(hintAttribute, hint) ?? hint);
    return {
      id: `${_scope}-${id}`,
      label: name || id,
      description: [typeLabel(_scope), value].filter(Boolean).join(' · '),
      onClick: () => void navigate({ to: '/records/$entity/$id', params: { entity: _scope, id } }),
    };
  });
}
