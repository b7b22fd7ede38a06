/** Draw a list again and leave alone what looks the same: it keeps its place under a finger, its focus and its reader. */

/**
 * `room` gets the children of `next`. A child that is there already, known by `data-id`, stays if it looks the same; the
 * others are put in between.
 */
export function settle(room: Element, next: Element): void {
  const standing = new Map([...room.children].map((each) => [each.getAttribute("data-id"), each]));
  const wanted = [...next.children].map((each) => {
    const known = standing.get(each.getAttribute("data-id"));
    return known?.isEqualNode(each) ? known : each;
  });
  const staying = new Set(wanted);
  for (const each of [...room.children]) if (!staying.has(each)) each.remove();
  let place = room.firstElementChild;
  for (const each of wanted) {
    if (each === place) place = place.nextElementSibling;
    else room.insertBefore(each, place);
  }
}
