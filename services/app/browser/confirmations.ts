/** Asks before a form is sent whose button says so: first of all that listen, so that nothing begins before the answer. */
export function confirmFirst(): void {
  document.addEventListener(
    'submit',
    (event) => {
      const question = event.submitter?.dataset.confirm;
      if (question && !confirm(question)) event.preventDefault();
    },
    { capture: true },
  );
}
