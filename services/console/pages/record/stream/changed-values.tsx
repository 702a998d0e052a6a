import { Box, Button, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import type { StreamItem } from '../../../api/stream.ts';
import { useText } from '../../../language/language.tsx';
import { FieldValueOrDash } from '../field-value-or-dash.tsx';

const shownAtFirst = 6;

/** The values of the changed fields before and after an update. */
export function ChangedValues(props: { readonly item: StreamItem; readonly entity: Entity }) {
  const t = useText();
  const { item, entity } = props;
  const [isWhole, setIsWhole] = useState(false);
  const { fields, attributes } = item.data;
  if (item.type !== 'Update' || !Array.isArray(fields)) return null;
  const { was, became } = Object(attributes);
  const changed = withoutDerived(fields.map(String), entity);
  const shown = isWhole ? changed : changed.slice(0, shownAtFirst);
  return (
    <>
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((name) => (
          <Text key={name} component="li" size="sm">
            <Text span inherit c="dimmed">
              {entity.labelOf(name)}:{' '}
            </Text>
            <FieldValueOrDash entity={entity} name={name} record={{ ...was, id: item.parentId }} />
            <span aria-hidden="true"> → </span>
            <VisuallyHidden>{`${t('stream.became')} `}</VisuallyHidden>
            <FieldValueOrDash
              entity={entity}
              name={name}
              record={{ ...became, id: item.parentId }}
            />
          </Text>
        ))}
      </Box>
      {shown.length < changed.length ? (
        <Button variant="transparent" size="compact-sm" px={0} onClick={() => setIsWhole(true)}>
          {t('stream.moreChanges', { count: changed.length - shown.length })}
        </Button>
      ) : null}
    </>
  );
}

/** Omits fields that the server derives from the other changed fields. */
function withoutDerived(names: readonly string[], { fields }: Entity): readonly string[] {
  const entered = names.filter((name) => fields[name]?.readOnly !== true);
  return entered.length > 0 ? entered : names;
}
