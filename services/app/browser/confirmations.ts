/** Asks before a form is sent whose button says so. */
export function confirmFirst(): void {
  document.addEventListener('submit', (event) => {
    const question = event.submitter?.dataset.confirm;
    if (question && !confirm(question)) event.preventDefault();
  });
}
