/** Milliseconds that a button says that it has copied. */
const saidMs = 2000;

/** Shows the buttons that copy a text, which are hidden where they could not do it. */
export function copyTexts(): void {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      button.textContent = button.dataset.copied ?? '';
      setTimeout(() => {
        button.textContent = label;
      }, saidMs);
    });
  }
}
