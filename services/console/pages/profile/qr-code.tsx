import generate from 'qrcode-generator';
import { useMemo } from 'react';

const SIZE = 200;
/** Scanners need a border of four modules. */
const BORDER = 4;

/** A QR code, in black on white in both themes because many scanners reject inverted codes. */
export function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
  const { path, count } = useMemo(() => modulesOf(value), [value]);
  const side = count + 2 * BORDER;
  return (
    <svg
      role="img"
      aria-label={label}
      width={SIZE}
      height={SIZE}
      viewBox={`${-BORDER} ${-BORDER} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-BORDER} y={-BORDER} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Returns the dark modules as a path with one unit per module. */
function modulesOf(value: string): { readonly path: string; readonly count: number } {
  // Type 0 chooses the smallest code that holds the value.
  const code = generate(0, 'M');
  code.addData(value);
  code.make();
  const count = code.getModuleCount();
  const places = Array.from({ length: count * count }, (_, place) => place);
  const path = places
    .map((place) => [Math.floor(place / count), place % count] as const)
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column} ${row}h1v1h-1z`)
    .join('');
  return { path, count };
}
