import type { VNode } from 'preact';

/** A text of the server whose addresses are links. */
export const LinkedText = ({ text }: { text: string }): VNode => (
  <>
    {text.split(/(https?:\/\/[^\s<>"']+)/).map((part, at) =>
      at % 2 === 1 ? (
        <a href={part} rel="noopener noreferrer">
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </>
);
