import { Box, Fieldset, SimpleGrid } from '@mantine/core';
import { type Entity, usePanelLabel } from '../api/metadata.ts';
import { useRights } from '../api/rights.ts';
import { enteredFields } from './entered-fields.ts';
import { EventTimeInput } from './event-time-input.tsx';
import { isEvent } from './event-times.ts';
import type { Values } from './input-parts.ts';
import { FieldInput } from './input-types.tsx';
import styles from './panel-inputs.module.css';

/** A group of fields. */
export interface Panel {
  readonly label: string;
  readonly names: readonly string[];
  /** Fields that take the whole width of the panel. */
  readonly wide?: readonly string[];
}

interface Inputs {
  readonly entity: Entity;
  readonly values: Values;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Values) => void;
}

/** The inputs of a panel that the user may set. */
export function PanelInputs({ label, names, wide, ...inputs }: Inputs & Panel) {
  const { entity } = inputs;
  const rights = useRights(entity.name);
  const panelLabel = usePanelLabel();
  const entered = enteredFields(entity, names, rights);
  const isAddress = (name = '') => entity.fields[name]?.type === 'address';
  const placeOf = (name: string, index: number) => {
    if (wide?.includes(name) === true || isTimeOfEvent(entity, name)) return 'whole';
    // An address is higher than other inputs.
    if (isAddress(name) && !isAddress(entered[index - 1])) return 'firstHalf';
    // The parts of a person's name are in one row.
    return names.includes(name) ? 'half' : 'quarter';
  };
  if (entered.length === 0) return null;
  return (
    <Fieldset legend={panelLabel(label)}>
      <SimpleGrid cols={{ base: 1, md: 4 }} spacing="lg">
        {entered.map((name, index) => (
          <Box key={name} miw={0} className={styles[placeOf(name, index)] ?? ''}>
            <OneInput {...inputs} name={name} />
          </Box>
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

/** The input of one field, or of all times of an event. */
export function OneInput({ name, ...inputs }: Inputs & { readonly name: string }) {
  const { entity, values, problems, onChange } = inputs;
  const field = entity.fields[name];
  if (field === undefined) return null;
  if (isTimeOfEvent(entity, name)) return <EventTimeInput {...inputs} />;
  return (
    <FieldInput
      entity={entity}
      name={name}
      field={field}
      label={entity.labelOf(name)}
      values={values}
      error={problems.get(name)}
      onChange={onChange}
    />
  );
}

function isTimeOfEvent(entity: Entity, name: string): boolean {
  return name === 'dateStart' && isEvent(entity);
}
