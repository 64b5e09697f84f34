const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The key `/` leads to the search. */
export function focusSearch(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const search = document.querySelector<HTMLInputElement>('#search');
    if (!search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
}
