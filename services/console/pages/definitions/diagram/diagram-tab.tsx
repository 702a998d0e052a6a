import { NativeSelect, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type Metadata, useMetadata, useTypeLabel } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { Scroller } from '../../../parts/list/scroller.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import styles from './diagram.module.css';
import { type Relation, relationsOf } from './relations.ts';

const kinds = {
  manyToMany: 'definitions.manyToMany',
  manyToOne: 'definitions.manyToOne',
  toParent: 'definitions.toParent',
} as const;

/** The links between entity types, as a diagram and as an equivalent table. */
export function DiagramTab(props: {
  readonly focus: string | undefined;
  readonly onFocus: (focus: string | undefined) => void;
}) {
  const t = usePageText();
  const metadata = useMetadata();
  const types = typesOf(metadata);
  const focus = types.some(({ name }) => name === props.focus) ? props.focus : undefined;
  const all = relationsOf(metadata);
  const shown = all.filter(({ from, to }) => focus === undefined || from === focus || to === focus);
  return (
    <Stack>
      <NativeSelect
        label={t('definitions.focus')}
        maw={320}
        value={focus ?? ''}
        onChange={({ currentTarget: { value } }) => props.onFocus(value === '' ? undefined : value)}
        data={[
          { value: '', label: t('definitions.allTypes') },
          ...types.map(({ name, label }) => ({ value: name, label })),
        ]}
      />
      <Diagram types={types} relations={shown} focus={focus} />
      <Hint>{t('definitions.legend')}</Hint>
      {shown.length === 0 ? (
        <Empty title={t('definitions.noLinks')} text={t('definitions.noLinksText')} />
      ) : (
        <RelationTable relations={shown} />
      )}
    </Stack>
  );
}

function typesOf(metadata: Metadata) {
  return [...metadata.values()]
    .filter(({ scope }) => scope.object)
    .map(({ name, label, scope }) => ({ name, label, isCustom: scope.isCustom }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

function RelationTable(props: { readonly relations: readonly Relation[] }) {
  const t = usePageText();
  const { relations } = props;
  const labelOf = useTypeLabel();
  return (
    <DataTable
      label={t('definitions.relations')}
      rows={relations}
      keyOf={({ from, link, to }) => `${from} ${link} ${to}`}
      minWidth={720}
      columns={[
        { label: t('definitions.from'), show: ({ from }) => labelOf(from) },
        { label: t('definitions.link'), show: ({ link }) => link },
        { label: t('definitions.kind'), show: ({ kind }) => t(kinds[kind]) },
        { label: t('definitions.to'), show: ({ to }) => labelOf(to) },
        { label: t('definitions.foreign'), show: ({ foreign }) => foreign },
      ]}
    />
  );
}

interface Type {
  readonly name: string;
  readonly label: string;
  readonly isCustom: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const width = 1000;
const height = 640;
const center: Point = { x: width / 2, y: height / 2 };
const radius: Point = { x: 400, y: 280 };
const box = { width: 150, height: 34 };
/** How far lines bend towards the middle, so that they do not cross boxes. Parallel lines bend in steps. */
const bend = 0.35;
const bendStep = 0.2;
const letters = 19;

/** Draws entity types in a ring, with a line for each relation, or only for the relations of `focus`. */
function Diagram(props: {
  readonly types: readonly Type[];
  readonly relations: readonly Relation[];
  readonly focus: string | undefined;
}) {
  const t = usePageText();
  const { types, relations, focus } = props;
  const places = placesOf(types);
  const scroller = useRef<HTMLElement>(null);
  const middle = places.get(focus ?? '')?.x ?? center.x;
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    // On narrow screens, scrolls to the focused entity type.
    current.scrollLeft = (middle / width) * current.scrollWidth - current.clientWidth / 2;
  }, [middle]);
  const isNear = (name: string) =>
    focus === undefined ||
    name === focus ||
    relations.some(({ from, to }) => [from, to].includes(name));
  return (
    <Scroller ref={scroller} label={t('definitions.diagram')}>
      <svg className={styles['diagram']} viewBox={`0 0 ${width} ${height}`}>
        <title>{t('definitions.diagram')}</title>
        <g>
          {relations.map((relation, index) => (
            <Line
              key={`${relation.from} ${relation.link} ${relation.to}`}
              relation={relation}
              places={places}
              step={stepOf(relations, index)}
            />
          ))}
        </g>
        {types.map((type) => (
          <Box
            key={type.name}
            type={type}
            place={places.get(type.name) ?? center}
            isFaint={!isNear(type.name)}
            isFocus={type.name === focus}
          />
        ))}
      </svg>
    </Scroller>
  );
}

function placesOf(types: readonly Type[]): ReadonlyMap<string, Point> {
  return new Map(
    types.map(({ name }, index) => {
      const angle = (index / types.length) * 2 * Math.PI - Math.PI / 2;
      const [x, y] = [radius.x * Math.cos(angle), radius.y * Math.sin(angle)];
      return [name, { x: Math.round(center.x + x), y: Math.round(center.y + y) }];
    }),
  );
}

/** Returns the number of preceding lines between the same two entity types. */
function stepOf(relations: readonly Relation[], index: number): number {
  const ends = (relation: Relation | undefined) => [relation?.from, relation?.to].toSorted().join();
  return relations.slice(0, index).filter((one) => ends(one) === ends(relations[index])).length;
}

function Line(props: {
  readonly relation: Relation;
  readonly places: ReadonlyMap<string, Point>;
  readonly step: number;
}) {
  const { relation, places, step } = props;
  const from = places.get(relation.from) ?? center;
  const to = places.get(relation.to) ?? center;
  const kind = relation.kind === 'manyToOne' ? '' : relation.kind;
  const className = [styles['line'], styles[kind]].join(' ');
  return <path className={className} d={pathOf(from, to, step)} />;
}

function pathOf(from: Point, to: Point, step: number): string {
  if (from.x === to.x && from.y === to.y) {
    const [side, above] = [box.width / 2, from.y - box.height - step * box.height];
    return `M${from.x - side / 2} ${from.y} C${from.x - side} ${above} ${from.x + side} ${above} ${from.x + side / 2} ${from.y}`;
  }
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const share = Math.min(1, bend + step * bendStep);
  const x = Math.round(middle.x + (center.x - middle.x) * share);
  const y = Math.round(middle.y + (center.y - middle.y) * share);
  return `M${from.x} ${from.y} Q${x} ${y} ${to.x} ${to.y}`;
}

/** Cuts after a word if possible, because accessible names must contain the visible words. */
function shorten(label: string): string {
  return label.slice(0, letters - 1).replace(/\s+\S*$/, '');
}

function Box(props: {
  readonly type: Type;
  readonly place: Point;
  readonly isFaint: boolean;
  readonly isFocus: boolean;
}) {
  const { type, place, isFaint, isFocus } = props;
  const { name, label, isCustom } = type;
  const text = label.length > letters ? `${shorten(label)}…` : label;
  const className = [
    styles['box'],
    isCustom ? styles['own'] : '',
    isFaint ? styles['faint'] : '',
    isFocus ? styles['focus'] : '',
  ].join(' ');
  return (
    <Link to="/definitions/$entity" params={{ entity: name }} aria-label={label}>
      <g className={className}>
        <rect
          x={place.x - box.width / 2}
          y={place.y - box.height / 2}
          width={box.width}
          height={box.height}
          rx={4}
        />
        <text x={place.x} y={place.y} dy="0.35em" textAnchor="middle">
          {text}
        </text>
      </g>
    </Link>
  );
}
