/** A file may be dropped on any view, unless a part of it takes files itself. */

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true && !isField(event.target);
/** A field for files takes them by itself. */
const isField = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === "file";

export function listenForFiles(taken: (files: FileList) => void, signal: AbortSignal): void {
  const show = (over: boolean): void => void document.body.classList.toggle("file-over", over);
  const modal = (): boolean => document.querySelector("dialog[open]") !== null;
  window.addEventListener(
    "dragover",
    (event) => {
      if (!hasFiles(event)) return;
      const open = !event.defaultPrevented && !modal();
      event.preventDefault(); // else the browser would leave the page for the file
      show(open);
    },
    { signal },
  );
  window.addEventListener("dragleave", (event) => event.relatedTarget === null && show(false), { signal });
  window.addEventListener(
    "drop",
    (event) => {
      show(false);
      const files = event.dataTransfer?.files;
      if (!files?.length || event.defaultPrevented || isField(event.target)) return;
      event.preventDefault();
      if (!modal()) taken(files);
    },
    { signal },
  );
}
