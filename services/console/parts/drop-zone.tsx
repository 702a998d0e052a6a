import { type DragEvent, type ReactNode, useState } from 'react';
import styles from './drop-zone.module.css';

/** Accepts files dropped on its children. The caller must also provide an alternative for the keyboard. */
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
    // In nested zones, only the inner one accepts the files.
    event.stopPropagation();
    props.onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files requires a mouse
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
