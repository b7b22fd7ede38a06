/** The affect of the answers as a curve, with the window that it is kept in. */

import type { EChartsCoreOption } from "echarts/core";
import { chart, type Chart } from "../../charts.ts";
import { h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { t } from "./texts.ts";

const [LOW, HIGH, START] = [0.3, 0.7, 0.5];

export class Affect {
  readonly element = h("div", { class: "chart affect", role: "img", "data-testid": "personas-affect" });
  readonly #signal: AbortSignal;
  #values: number[] = [START];
  #chart: Chart | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.#describe();
  }

  async start(): Promise<void> {
    this.#chart = await chart(this.element, () => this.#option(), { label: this.#label(), signal: this.#signal });
    this.#draw(); // answers may have come while the library did
  }

  clear(): void {
    this.#values = [START];
    this.#draw();
  }

  add(value: number): void {
    this.#values.push(value);
    this.#draw();
  }

  #draw(): void {
    this.#describe();
    this.#chart?.set(() => this.#option(), this.#label());
  }

  #label(): string {
    return t().affectLabel(number(this.#values.at(-1) ?? START, 2));
  }

  #describe(): void {
    this.element.setAttribute("aria-label", this.#label());
  }

  #option(): EChartsCoreOption {
    return {
      grid: { left: 36, right: 12, top: 12, bottom: 24 },
      xAxis: { type: "category", data: this.#values.map((_, at) => String(at)), boundaryGap: false },
      yAxis: { type: "value", min: 0, max: 1, interval: 0.5 },
      tooltip: { trigger: "axis", valueFormatter: (value: unknown) => number(Number(value), 2) },
      series: [
        {
          name: t().affect,
          type: "line",
          data: this.#values,
          symbolSize: 6,
          lineStyle: { width: 2 },
          markArea: { silent: true, itemStyle: { color: colour("--accent"), opacity: 0.12 }, data: [[{ yAxis: LOW }, { yAxis: HIGH }]] },
        },
      ],
    };
  }
}
