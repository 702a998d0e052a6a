import { Box, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Entity, usePanelLabel } from '../../api/metadata.ts';
import { type AnyRecord, panelsQuery } from '../../api/records.ts';
import { FieldValue } from '../../fields/value-types.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { PageSkeleton } from '../../parts/page/page-skeleton.tsx';

/** All fields of a record that the user may read. */
export function RecordFields(props: { readonly entity: Entity; readonly record: AnyRecord }) {
  const { entity, record } = props;
  const panels = useQuery(panelsQuery(entity.name));
  const panelLabel = usePanelLabel();
  if (panels.data === undefined) {
    return panels.error === null ? <PageSkeleton /> : <LoadError error={panels.error} />;
  }
  return (
    <Stack>
      {panels.data.map(({ label, names, wide }) => (
        <Paper key={label} withBorder p="md" component="section" aria-label={panelLabel(label)}>
          <Title mb="sm">{panelLabel(label)}</Title>
          <SimpleGrid component="dl" cols={{ base: 1, md: 2 }} spacing="lg" m={0}>
            {names.map((name) => (
              <FieldPair
                key={name}
                entity={entity}
                record={record}
                name={name}
                isWide={wide.includes(name)}
              />
            ))}
          </SimpleGrid>
        </Paper>
      ))}
    </Stack>
  );
}

function FieldPair(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly name: string;
  readonly isWide: boolean;
}) {
  const { entity, record, name, isWide } = props;
  const field = entity.fields[name];
  if (field === undefined) return null;
  const shown = <FieldValue entity={entity} record={record} name={name} field={field} />;
  return (
    <Box miw={0} {...(isWide ? { style: { gridColumn: '1 / -1' } } : {})}>
      <Text component="dt" size="sm" c="dimmed">
        {entity.labelOf(name)}
      </Text>
      <Text component="dd" m={0} size="sm" className="field-value">
        {shown}
      </Text>
    </Box>
  );
}
