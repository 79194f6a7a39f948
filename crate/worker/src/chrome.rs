//! The functions of `extension/worker/chrome.js`, typed: one for each call of a browser API.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../chrome.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = sendCommand)]
    pub async fn send_command(
        tab: i32,
        session: Option<String>,
        method: &str,
        params: &str,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch)]
    pub async fn attach(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch)]
    pub async fn detach(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = openPage)]
    pub async fn open_page(page: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = getTab)]
    pub async fn get_tab(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = createTab)]
    pub async fn create_tab(url: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = removeTab)]
    pub async fn remove_tab(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = createWindow)]
    pub async fn create_window(url: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = focusWindow)]
    pub async fn focus_window(window: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = showTab)]
    pub async fn show_tab(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = emptyTab)]
    pub async fn empty_tab(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = reloadTab)]
    pub async fn reload_tab(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = groupTab)]
    pub async fn group_tab(tab: i32, group: Option<i32>) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = nameGroup)]
    pub async fn name_group(group: i32, title: &str, color: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = ungroupTab)]
    pub async fn ungroup_tab(tab: i32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch)]
    pub async fn paint(order: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = openPopup)]
    pub async fn open_popup() -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = connectHost)]
    pub fn connect_host() -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = disconnectHost)]
    pub fn disconnect_host();

    #[wasm_bindgen(catch)]
    pub fn post(envelope: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = keepSession)]
    pub fn keep_session(text: &str);

    #[wasm_bindgen(js_name = keepRequest)]
    pub fn keep_request(slot: u16, text: &str);

    #[wasm_bindgen(js_name = keepLocal)]
    pub fn keep_local(text: &str);

    #[wasm_bindgen(js_name = setBadgeText)]
    pub fn set_badge_text(text: &str);

    #[wasm_bindgen(js_name = setTitle)]
    pub fn set_title(says: &str);

    #[wasm_bindgen(js_name = answerPage)]
    pub fn answer_page(question: u32, view: &str);

    #[wasm_bindgen(js_name = setAlarm)]
    pub fn set_alarm(minutes: f64);

    /// Tells that this instance is lost and a new one must be started.
    pub fn panicked(message: &str);
}
