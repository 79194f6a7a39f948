//! `screenshot`: the right part in the right size, from a tab in the background; secrets are painted over everywhere.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use std::io::Cursor;
use tests::client::Reply;

cases!(beside:
    what_is_in_view_is_pictured_without_its_secrets,
    the_whole_page_is_pictured_without_its_secrets,
    an_element_far_down_is_pictured_alone,
    a_picture_keeps_within_its_longest_side,
    a_dense_screen_is_pictured_in_css_pixels,
    refs_are_drawn_where_the_page_does_not_see_them,
    a_picture_goes_to_a_file,
    other_forms_are_told_by_their_type,
    a_hidden_element_has_no_picture,
    secrets_in_closed_roots_are_painted_over,
);

const GREEN: [u8; 3] = [0, 255, 0];
const YELLOW: [u8; 3] = [255, 255, 0];
const CYAN: [u8; 3] = [0, 255, 255];
const BLUE: [u8; 3] = [0, 0, 255];
const MASK: [u8; 3] = [0x40, 0x40, 0x40];

struct Image {
    width: u32,
    height: u32,
    channels: usize,
    bytes: Vec<u8>,
}

impl Image {
    fn of(bytes: &[u8]) -> Result<Self> {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info()?;
        let mut buffer = vec![0; reader.output_buffer_size().context("too large")?];
        let info = reader.next_frame(&mut buffer)?;
        Ok(Self {
            width: info.width,
            height: info.height,
            channels: info.color_type.samples(),
            bytes: buffer,
        })
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let from = (y as usize * self.width as usize + x as usize) * self.channels;
        [self.bytes[from], self.bytes[from + 1], self.bytes[from + 2]]
    }

    /// Points that are far more red than anything else: what lies under the masks.
    fn red(&self) -> Option<(u32, u32)> {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        all.into_iter().find(|(x, y)| {
            let [r, g, b] = self.at(*x, *y);
            r >= 200 && g <= 60 && b <= 60
        })
    }
}

fn image(reply: &Reply) -> Result<Image> {
    match reply.pictures.as_slice() {
        [(kind, bytes)] if kind == "image/png" => Image::of(bytes),
        other => bail!("{} pictures came", other.len()),
    }
}

async fn picture(it: &mut Trial) -> Result<()> {
    it.open("picture.html").await?;
    it.done("wait", json!({ "text": ["Inner password"] })).await?;
    Ok(())
}

async fn what_is_in_view_is_pictured_without_its_secrets(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let reply = it.done("screenshot", json!({})).await?;
    let seen = image(&reply)?;
    let size = it.page_eval("picture.html", "[innerWidth, innerHeight]").await?;
    ensure!(json!([seen.width, seen.height]) == size, "{}x{} is not {size}", seen.width, seen.height);
    ensure!(seen.at(50, 20) == GREEN && seen.at(200, 155) == YELLOW, "colours are not where they are");
    ensure!(seen.at(100, 75) == MASK && seen.at(100, 115) == MASK, "the fields are not painted over");
    // The frame is drawn at half its size: its ground at (310, 30), its field at (340, 47).
    ensure!(seen.at(308, 28) == CYAN && seen.at(340, 47) == MASK, "the frame is not as it should be");
    ensure!(seen.red().is_none(), "a secret field shows at {:?}", seen.red());
    contains(&reply, &["painted over: 4"])
}

async fn the_whole_page_is_pictured_without_its_secrets(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    it.act("scroll", json!({ "direction": "down", "amount": 300 })).await?;
    let reply = it.done("screenshot", json!({ "full_page": true, "max_side": 4000 })).await?;
    let seen = image(&reply)?;
    ensure!(seen.height == 3000, "the page is {} px high", seen.height);
    ensure!(seen.at(50, 20) == GREEN && seen.at(30, 2030) == BLUE, "colours are not where they are");
    ensure!(seen.at(100, 2115) == MASK && seen.at(100, 75) == MASK, "the fields are not painted over");
    ensure!(seen.red().is_none(), "a secret field shows at {:?}", seen.red());
    let top = it.page_eval("picture.html", "scrollY").await?;
    ensure!(top == 300, "the page was left at {top}");
    Ok(())
}

async fn secrets_in_closed_roots_are_painted_over(it: &mut Trial) -> Result<()> {
    it.open("closed.html").await?;
    let reply = it.done("screenshot", json!({})).await?;
    ensure!(image(&reply)?.red().is_none(), "a secret field shows");
    contains(&reply, &["painted over: 1"])
}

async fn an_element_far_down_is_pictured_alone(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let reference = it.done("find", json!({ "text": "Far down" })).await?;
    let reference = reference.text.lines().nth(1).and_then(|line| line.split(' ').next()).map(str::to_owned);
    let reply = it.done("screenshot", json!({ "ref": reference })).await?;
    let seen = image(&reply)?;
    ensure!((seen.width, seen.height) == (60, 60), "it is {}x{}", seen.width, seen.height);
    ensure!([(0, 0), (59, 59), (30, 30)].iter().all(|(x, y)| seen.at(*x, *y) == BLUE), "it is not blue");
    Ok(())
}

async fn a_picture_keeps_within_its_longest_side(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let seen = image(&it.done("screenshot", json!({ "max_side": 200 })).await?)?;
    ensure!(seen.width.max(seen.height) == 200, "it is {}x{}", seen.width, seen.height);
    ensure!(seen.red().is_none(), "a secret field shows at {:?}", seen.red());
    let whole = it.done("screenshot", json!({ "full_page": true })).await?;
    let seen = image(&whole)?;
    ensure!(seen.height == 1568, "the whole page is {} px high", seen.height);
    ensure!(seen.red().is_none(), "a secret field shows at {:?}", seen.red());
    contains(&whole, &["0.523 px a CSS px"])
}

async fn a_dense_screen_is_pictured_in_css_pixels(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let page = it.visit.page("picture.html");
    for density in [2, 3] {
        let screen = json!({ "width": 900, "height": 620, "deviceScaleFactor": density, "mobile": false });
        it.debug(&page, &format!(r#"await send("Emulation.setDeviceMetricsOverride", {screen});"#)).await?;
        let is = it.page_eval("picture.html", "devicePixelRatio").await?;
        ensure!(is == density, "the screen's density is {is}, not {density}");

        let reply = it.done("screenshot", json!({ "annotate": true })).await?;
        let seen = image(&reply)?;
        ensure!((seen.width, seen.height) == (900, 620), "{density}: {}x{}", seen.width, seen.height);
        ensure!(seen.at(50, 20) == GREEN && seen.at(200, 155) == YELLOW, "{density}: colours are elsewhere");
        ensure!(seen.at(100, 75) == MASK && seen.at(340, 47) == MASK, "{density}: masks are elsewhere");
        ensure!(seen.at(20, 190) == [0xd0, 0, 0x6f], "{density}: refs are drawn elsewhere");
        ensure!(seen.red().is_none(), "{density}: a secret field shows at {:?}", seen.red());

        let whole = image(&it.done("screenshot", json!({ "full_page": true })).await?)?;
        ensure!(whole.height == 1568, "{density}: the whole page is {} px high", whole.height);
        ensure!(whole.red().is_none(), "{density}: a secret field shows at {:?}", whole.red());
    }
    Ok(())
}

async fn refs_are_drawn_where_the_page_does_not_see_them(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let count = "document.querySelectorAll('*').length";
    let before = it.page_eval("picture.html", count).await?;
    let bare = image(&it.done("screenshot", json!({})).await?)?;
    let reply = it.done("screenshot", json!({ "annotate": true })).await?;
    let drawn = image(&reply)?;
    ensure!(drawn.at(20, 190) == [0xd0, 0, 0x6f], "the button has no frame");
    ensure!(bare.at(20, 190) != drawn.at(20, 190) && bare.at(50, 20) == drawn.at(50, 20), "more was drawn");
    ensure!(it.page_eval("picture.html", count).await? == before, "the page was changed");
    contains(&reply, &["refs drawn"])?;
    it.click("button", "Press").await?;
    it.clicked(&["press"]).await
}

async fn a_picture_goes_to_a_file(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let folder = tempfile::Builder::new().prefix("tabwright-picture-").tempdir()?;
    let path = folder.path().join("shot.png");
    let reply = it.done("screenshot", json!({ "path": path })).await?;
    ensure!(reply.pictures.is_empty(), "the picture is in the reply, too");
    let seen = Image::of(&std::fs::read(&path)?)?;
    ensure!(seen.at(50, 20) == GREEN && seen.red().is_none(), "the file holds another picture");
    Ok(())
}

async fn other_forms_are_told_by_their_type(it: &mut Trial) -> Result<()> {
    picture(it).await?;
    let forms: [(&str, &str, &[u8]); 2] =
        [("jpeg", "image/jpeg", &[0xff, 0xd8]), ("webp", "image/webp", b"RIFF")];
    for (format, kind, magic) in forms {
        let reply = it.done("screenshot", json!({ "format": format, "quality": 60 })).await?;
        let (is, bytes) = reply.pictures.first().context("no picture")?;
        ensure!(is == kind && bytes.starts_with(magic), "{format} came as {is}");
    }
    Ok(())
}

async fn a_hidden_element_has_no_picture(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let button = it.reference("button", "Swap")?;
    it.page_eval("rows.html", "document.getElementById('swap').style.display = 'none', 1").await?;
    let refused: Value = json!({ "ref": button });
    it.refused("screenshot", refused, "hidden").await?;
    Ok(())
}
