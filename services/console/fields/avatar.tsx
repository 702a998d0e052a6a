import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { picturesQuery } from '../api/pictures.ts';
import { mayReadPictures } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { colorAt } from '../parts/colors.ts';
import styles from './avatar.module.css';
import { hashOf, initialsOf } from './initials.ts';
import { fileAddress } from './record-link.tsx';

/** Templates of entity types whose records have avatars. */
type Template = 'Company' | 'Person';

const templates: Readonly<Record<string, Template>> = {
  User: 'Person',
  Contact: 'Person',
  Lead: 'Person',
  Account: 'Company',
};

interface Props {
  readonly entity: unknown;
  /** The template of the entity type, if known. */
  readonly template?: string | undefined;
  readonly id: string;
  readonly name: unknown;
  readonly size?: 'lg' | 'sm' | 'xl';
  /** Shown for records that are neither people nor companies. */
  readonly icon?: ReactNode;
}

/**
 * The picture or initials of a person, or the first letter of a company. Decorative, because the name is next to it.
 */
export function RecordAvatar({ entity, template, id, name, size = 'sm', icon }: Props) {
  const kind = template ?? templates[String(entity)];
  if (kind !== 'Person' && kind !== 'Company') {
    if (icon === undefined) return null;
    return (
      <span className={styles['avatar']} data-size={size} aria-hidden="true">
        {icon}
      </span>
    );
  }
  const initials = initialsOf(typeof name === 'string' ? name : '');
  const color = colorAt(hashOf(id));
  return (
    <span
      className={styles['avatar']}
      data-kind={kind}
      data-size={size}
      data-color={color}
      style={{
        background: `color-mix(in srgb, var(--mantine-color-${color}-filled) var(--share), var(--mantine-color-body))`,
      }}
      // Content of the style, so that the initials are not part of selected and copied text.
      data-initials={kind === 'Company' ? [...initials][0] : initials}
      aria-hidden="true"
    >
      {entity === 'User' ? <Picture id={id} /> : null}
    </span>
  );
}

/** Covers the initials of a user who has a picture. */
function Picture({ id }: { readonly id: string }) {
  const session = useUser();
  const { data } = useQuery({
    ...picturesQuery,
    enabled: mayReadPictures(session),
    select: (pictures) => pictures.get(id),
  });
  const [broken, setBroken] = useState<string>();
  if (data === undefined || data === broken) return null;
  return <img src={fileAddress(data)} alt="" loading="lazy" onError={() => setBroken(data)} />;
}
