import { type DragEvent, type ReactNode, useState } from 'react';
import styles from './drop-zone.module.css';

/** Takes files that are dropped on what it surrounds. Whoever uses it has another way beside it, for the keyboard. */
export function DropZone(props: {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const take = (event: DragEvent): void => {
    const files = [...event.dataTransfer.files];
    setOver(false);
    if (files.length === 0) return;
    event.preventDefault();
    // Of zones in each other the inner one takes them.
    event.stopPropagation();
    props.onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a mouse alone can drop files
    <div
      className={styles['zone']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={take}
    >
      {props.children}
    </div>
  );
}
