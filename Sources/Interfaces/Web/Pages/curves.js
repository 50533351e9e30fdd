// Curves of trainings and models.

import { colour, fitted } from "/sound.js";

const LEAST_RATE = 0.1;
const MOST_RATE = 1000;
const styles = { candidate: ["accent", []], installed: ["good", [7, 4]], previous: ["warn", [2, 4]] };
export const versionNames = { candidate: "new version", installed: "installed", previous: "previous version" };

/** The loss of a training over its completed share. */
export function drawLoss(canvas, points) {
  const { context, width, height, scale } = fitted(canvas);
  const top = Math.max(...points.map((point) => point.loss));
  const line = points.map((point) => [width * point.part, height * (1 - 0.9 * point.loss / (top || 1))]);
  stroke(context, line, colour("accent"), [], scale);
}

/** The misses of 100 phrases against false alarms a day; `chosen` is one of the model's sensitivities. */
export function drawVersions(canvas, model, chosen) {
  const { context, width, height, scale } = fitted(canvas);
  const [left, bottom] = [44 * scale, 34 * scale];
  const x = (perDay) => {
    const place = Math.log(Math.min(MOST_RATE, Math.max(LEAST_RATE, perDay)) / LEAST_RATE) / Math.log(MOST_RATE / LEAST_RATE);
    return left + place * (width - left - 8 * scale);
  };
  const most = highest(model);
  const y = (missRate) => 8 * scale + (1 - Math.min(1, missRate / most)) * (height - bottom - 8 * scale);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.fillStyle = colour("soft");
  for (const rate of [0.1, 1, 10, 100, 1000]) {
    stroke(context, [[x(rate), y(0)], [x(rate), y(most)]], colour("line"), [], scale / 2);
    context.textAlign = rate === LEAST_RATE ? "left" : rate === MOST_RATE ? "right" : "center";
    context.fillText(rate, x(rate), height - 20 * scale);
  }
  context.textAlign = "right";
  for (const part of [0, 0.5, 1]) {
    stroke(context, [[left, y(part * most)], [x(MOST_RATE), y(part * most)]], colour("line"), [], scale / 2);
    context.fillText(`${Math.round(100 * part * most)} %`, left - 5 * scale, y(part * most) + 4 * scale);
  }
  context.textAlign = "center";
  context.fillText("false alarms a day", (left + width) / 2, height - 5 * scale);
  for (const [version, [name, dash]] of Object.entries(styles).reverse()) {
    if (!model[version]) continue;
    const points = model[version].points.map((point) => [x(24 * point.falseAlarmsPerHour), y(point.missRate)]);
    stroke(context, points, colour(name), dash, scale);
  }
  if (!chosen || chosen.missRate === null) return;
  context.fillStyle = colour("bad");
  context.beginPath();
  context.arc(x(24 * chosen.falseAlarmsPerHour), y(chosen.missRate), 5 * scale, 0, 2 * Math.PI);
  context.fill();
}

/** The scale of the misses: their maximum at one false alarm a day or more. */
function highest(model) {
  const rates = Object.keys(styles).flatMap((version) => model[version]?.points ?? [])
    .filter((point) => 24 * point.falseAlarmsPerHour >= 1).map((point) => point.missRate);
  const top = Math.max(0.02, ...rates);
  return [0.02, 0.05, 0.1, 0.2, 0.5].find((step) => step >= top) ?? 1;
}

/** What the lines are, as items of a list. */
export function legend(model, item) {
  return Object.keys(styles).filter((version) => model[version]).map((version) => item(versionNames[version], colour(styles[version][0])));
}

/** Scores from 0 to 1 at equal steps; dashed: the threshold. */
export function drawScores(canvas, scores, threshold, count = scores.length) {
  const { context, width, height, scale } = fitted(canvas);
  const y = (score) => height * (0.98 - 0.94 * score);
  stroke(context, [[0, y(threshold)], [width, y(threshold)]], colour("soft"), [6, 5], scale);
  stroke(context, scores.map((score, index) => [(index + count - scores.length) * width / Math.max(1, count - 1), y(score)]), colour("accent"), [], scale);
}

function stroke(context, points, style, dash, scale) {
  context.strokeStyle = style;
  context.lineWidth = 2 * scale;
  context.lineJoin = "round";
  context.setLineDash(dash.map((length) => length * scale));
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
  context.setLineDash([]);
}
