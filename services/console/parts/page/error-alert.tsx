import { Alert } from '@mantine/core';
import { ErrorDetails } from './load-error.tsx';

/** Shows why an action failed. Shows nothing if `error` is null. */
export function ErrorAlert({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  return (
    <Alert color="red" role="alert">
      <ErrorDetails error={error} />
    </Alert>
  );
}
