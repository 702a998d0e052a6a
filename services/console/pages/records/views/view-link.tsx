import { TextLink } from '../../../parts/link.tsx';
import type { SavedView } from './saved-views.ts';

/** Opens a view of the list. */
export function ViewLink(props: {
  readonly entity: string;
  readonly view: SavedView;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}) {
  const { entity, view, isCurrent, onOpen } = props;
  return (
    <TextLink
      size="sm"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onOpen}
      to="/records/$entity"
      params={{ entity }}
      search={view.search}
    >
      {view.name}
    </TextLink>
  );
}
