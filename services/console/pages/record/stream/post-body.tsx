import { lazy, Suspense } from 'react';
import type { PostProps } from './formatted-post.tsx';

const FormattedPost = lazy(async () => ({
  default: (await import('./formatted-post.tsx')).FormattedPost,
}));

const PlainPost = lazy(async () => ({
  default: (await import('./formatted-post.tsx')).PlainPost,
}));

/** The text of a post; without formatting until the parser is loaded. */
export function PostBody(props: PostProps) {
  return (
    <Suspense fallback={<span className="field-value">{props.text}</span>}>
      <FormattedPost {...props} />
    </Suspense>
  );
}

/** The beginning of a post, as text that can be part of a link. */
export function PostExcerpt({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={text}>
      <PlainPost text={text} />
    </Suspense>
  );
}
