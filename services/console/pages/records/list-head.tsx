import type { ReactNode } from 'react';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { CreateButton } from './create-button.tsx';
import styles from './list-head.module.css';

/** The title, the search and the tools of a list or board: one line on wide screens, and two on narrow ones. */
export function ListHead(props: {
  readonly entity: Entity;
  readonly title: string;
  /** Shown next to the title. */
  readonly views?: ReactNode;
  readonly search: string;
  readonly onSearch: (search: string | undefined) => void;
  /** The buttons next to the search. */
  readonly children: ReactNode;
}) {
  const t = useText();
  const { entity } = props;
  return (
    <div className={`compact-tools ${styles['head']}`}>
      <div className={styles['title']}>
        <PageTitle>{props.title}</PageTitle>
        {props.views}
      </div>
      <div className={styles['tools']}>
        <div className={styles['search']}>
          <SearchInput
            label={t('records.searchIn', { entity: entity.labelPlural })}
            value={props.search}
            width="100%"
            onChange={(search) => props.onSearch(search === '' ? undefined : search)}
          />
        </div>
        {props.children}
      </div>
      <CreateButton entity={entity} />
    </div>
  );
}
