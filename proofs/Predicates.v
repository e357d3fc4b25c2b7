(** Temporal predicates as responses: the formula of a template with the
    formula of the predicate in the place of the response says what the
    definition with the predicate says. *)

From Coq Require Import Arith Lia Classical List Bool.
From Shall Require Import Definitions Runs Operators Ways Steps Substitution Past Future Templates.

(** * A formula in the place of the response *)

Definition subst (g f : form) : form := substitute (fun a => match a with RES => g | _ => Var a end) f.

(** The propositions of a trace with another response. *)
Definition answering (at_i : nat -> atom -> Prop) (res : nat -> Prop) (i : nat) (a : atom) : Prop :=
  match a with RES => res i | _ => at_i i a end.

Lemma subst_is m l at_i g f i :
  sem m (Trace l at_i) (subst g f) i <-> sem m (Trace l (answering at_i (sem m (Trace l at_i) g))) f i.
Proof. unfold subst. rewrite substitute_is. apply sem_same. intros j []; reflexivity. Qed.

(** * What a timing looks at is inside the interval *)

Section Same.
Variables (m : nat) (tr : trace) (t : nat) (hi : option nat) (r r' : nat -> Prop).
Hypothesis Ht : upto hi t.
Hypothesis same : forall i, ahead t hi i -> (r i <-> r' i).

Lemma upto_less i j : upto hi j -> i <= j -> upto hi i.
Proof. destruct hi; simpl; auto; lia. Qed.

Lemma met_same w : met m tr w r t hi -> met m tr w r' t hi.
Proof.
  assert (forall i, ahead t hi i -> r i -> r' i) as Hto by (intros i Hi; apply same; assumption).
  assert (forall i, ahead t hi i -> r' i -> r i) as Hof by (intros i Hi; apply same; assumption).
  destruct w; simpl.
  - apply Hto. split; auto.
  - intros [Hn | Hr]; [auto |]. destruct (classic (upto hi (t + 1))) as [Hu | Hu]; [right | auto]. apply Hto; [split; [lia | assumption] | assumption].
  - destruct hi as [h|] eqn:E; [| auto]. apply Hto. split; simpl in *; [assumption | lia].
  - intros H i Hi. auto.
  - intros H i Hi Hr. apply (H i Hi). auto.
  - intros [i [Hi Hr]]. exists i. auto.
  - intros [Hn | [i [Hi Hr]]]; [auto |]. destruct (classic (upto hi (t + val m n))) as [Hu | Hu]; [right | auto].
    exists i. split; [assumption |]. apply Hto; [| assumption]. split; [lia | apply (upto_less _ _ Hu); lia].
  - intros H i Hi Hn. auto.
  - intros [H1 H2]. split; [intros i Hi Hn Hr; apply (H1 i Hi Hn); auto |]. destruct H2 as [Hn | Hr]; [auto |].
    destruct (classic (upto hi (t + val m n + 1))) as [Hu | Hu]; [right | auto]. apply Hto; [split; [lia | assumption] | assumption].
  - intros [[s [Hs H]] | [Hs H]].
    + left. exists s. split; [assumption |]. intros i Hi. apply Hto; [| auto]. split; [lia |]. destruct Hs as [[_ Hu] _]. apply (upto_less _ _ Hu). lia.
    + right. split; [assumption |]. intros i Hi. auto.
  - intros [Hs | [s [Hs [i [Hi Hr]]]]]; [auto | right]. exists s. split; [assumption |]. exists i. split; [assumption |].
    apply Hto; [| assumption]. split; [lia |]. destruct Hs as [[_ Hu] _]. apply (upto_less _ _ Hu). lia.
Qed.
End Same.

Lemma denied_same m tr t hi r r' w : upto hi t -> (forall i, ahead t hi i -> (r i <-> r' i)) ->
  denied m tr w r t hi -> denied m tr w r' t hi.
Proof.
  intros Ht same. assert (forall i, ahead t hi i -> (~ r i <-> ~ r' i)) as absent by (intros i Hi; rewrite (same i Hi); reflexivity).
  destruct w; unfold denied; try (apply met_same; assumption).
  intros H. destruct (classic (upto hi (t + val m n + 1))) as [Hu | Hu]; [right | auto].
  destruct H as [Hn | [[i [Hi Hr]] | Hr]]; [contradiction | left | right].
  - exists i. split; [assumption |]. apply same; [| assumption]. split; [lia |]. destruct hi; simpl in *; auto; lia.
  - rewrite <- same; [assumption |]. split; [lia | assumption].
Qed.

(** A response that is the predicate in every interval. *)
Lemma answering_holds m l at_i res p s c w :
  let tr := Trace l at_i in
  (forall lo hi i, interval tr s lo hi -> ahead lo hi i -> (res i <-> said m tr p lo hi i)) ->
  (holds m s c w (Trace l (answering at_i res)) <-> holds_with p m s c w tr).
Proof.
  intros tr Hres. unfold holds, holds_with.
  assert (forall lo hi t, interval tr s lo hi -> trigger tr c lo hi t ->
    upto hi t /\ forall i, ahead t hi i -> (res i <-> said m tr p lo hi i)) as Hin.
  { intros lo hi t Hi [H1 [H2 _]]. split; [assumption |]. intros i [Hti Hui]. apply (Hres lo hi i Hi). split; [lia | assumption]. }
  split; intros H lo hi t Hi Ht; specialize (H lo hi t Hi Ht); cbv zeta in *; destruct (Hin lo hi t Hi Ht) as [Hu Hsame].
  - destruct (denies s).
    + apply (denied_same m tr t hi res); assumption.
    + apply (met_same m tr t hi res); assumption.
  - assert (forall i, ahead t hi i -> (said m tr p lo hi i <-> res i)) as Hback by (intros i Ha; symmetry; auto).
    destruct (denies s).
    + apply (denied_same m tr t hi (said m tr p lo hi) res w Hu Hback H).
    + apply (met_same m tr t hi (said m tr p lo hi) res Hu Hback w H).
Qed.

(** * Predicates about the past *)

Definition res := Var RES.

(** Where the past of a position is cut off. *)
Inductive cut := AtStart | Begun | EachInterval.

Definition cut_of (s : scope) : cut :=
  match s with
  | Null | Before | OnlyAfter => AtStart
  | After | OnlyBefore => Begun
  | In | NotIn | OnlyIn => EachInterval
  end.

Definition past_predicate (s : scope) (p : predicate) : form :=
  let now := past_scope s in
  match p with
  | Persisted near far =>
      And (match cut_of s with
           | AtStart => O_ (exactly far) Top
           | Begun => O_ (exactly far) now
           | EachInterval => And (O_ (exactly far) Top) (H_ (within far) now)
           end) (H_ (Bound near (Some far)) res)
  | Occurred near far =>
      let b := Bound near (Some far) in
      match cut_of s with
      | AtStart => O_ b res
      | Begun => O_ b (And now res)
      | EachInterval => S_ b now (And now res)
      end
  | PrevOcc =>
      let now := match cut_of s with AtStart => Top | Begun | EachInterval => now end in
      Not (Y (S_ all (And now (Not res)) (And now (And res (Not stop)))))
  | PreBool => Or (And start stop) (Y res)
  | FirstPoint => start
  | Persists _ _ | Occurs _ _ | NextOcc => Bot
  end.

Definition looks_back (p : predicate) : bool :=
  match p with
  | Persisted _ _ | Occurred _ _ | PrevOcc | PreBool | FirstPoint => true
  | Persists _ _ | Occurs _ _ | NextOcc => false
  end.

Lemma both_iff (A B A' B' : Prop) : (A <-> A') -> (B <-> B') -> (A /\ B <-> A' /\ B').
Proof. tauto. Qed.

Section Back.
Variables (m : nat) (tr : trace) (s : scope) (lo : nat) (hi : option nat) (i : nat).
Hypothesis inside_0 : inside tr 0.
Hypothesis Hinterval : interval tr s lo hi.
Hypothesis Hi : ahead lo hi i.
Notation sem := (sem m tr).

Lemma scope_from j : j <= i -> (lo <= j <-> forall k, j <= k <= i -> scoped tr s k).
Proof.
  intros Hj. apply interval_is_run in Hinterval; [| assumption]. destruct Hinterval as [_ [_ [H1 [H2 _]]]]. destruct Hi as [Hlo Hup]. split.
  - intros Hlj k Hk. apply H1; [lia |]. destruct hi; simpl in *; auto; lia.
  - intros Hall. destruct H2 as [-> | Hn]; [lia |]. destruct (le_lt_dec lo j); [assumption | exfalso]. apply Hn. apply Hall. lia.
Qed.

Lemma at_start : cut_of s = AtStart -> lo = 0.
Proof. destruct s; try discriminate; intros _; simpl in Hinterval; apply Hinterval. Qed.

Lemma begun j : cut_of s = Begun -> j <= i -> (scoped tr s j <-> lo <= j).
Proof.
  intros Hs Hj. rewrite (scope_from j Hj). split; [| intros Hall; apply Hall; lia].
  intros Hsj k Hk. destruct s; try discriminate; simpl in *; destruct Hsj as [x [Hx H]]; exists x; (split; [lia | assumption]).
Qed.

Lemma past_predicate_is p : looks_back p = true -> (sem (past_predicate s p) i <-> said m tr p lo hi i).
Proof.
  intros Hback. destruct p as [near far | near far | | | | | |]; try discriminate; unfold past_predicate, said.
  - cbn [Definitions.sem]. apply both_iff.
    + destruct (cut_of s) eqn:Hcut.
      * rewrite sem_O_exactly. rewrite (at_start Hcut). simpl. intuition lia.
      * rewrite sem_O_exactly, past_scope_is. split.
        -- intros [H1 H2]. apply begun in H2; [lia | assumption | lia].
        -- intros H1. split; [lia |]. apply begun; [assumption | lia | lia].
      * cbn [Definitions.sem]. change (sem (O_ (exactly far) Top) i /\ sem (H_ (within far) (past_scope s)) i <-> lo + val m far <= i).
        rewrite sem_O_exactly, sem_H_within. split.
        -- intros [[H1 _] H2]. assert (lo <= i - val m far); [| lia]. apply scope_from; [lia |]. intros k Hk. apply (past_scope_is m tr s). apply H2. lia.
        -- intros H1. split; [split; [lia | exact I] |]. intros j Hj. apply (past_scope_is m tr s).
           assert (forall k, j <= k <= i -> scoped tr s k) as H; [apply scope_from; lia | apply H; lia].
    + unfold window. cbn [low high]. split.
      * intros H j H1 H2. replace j with (i - (i - j)) by lia. apply H; lia.
      * intros H k Hk Hki. apply H; lia.
  - destruct (cut_of s) eqn:Hcut; cbn [Definitions.sem]; unfold window; cbn [low high].
    + rewrite (at_start Hcut). split.
      * intros [k [Hk [Hki Hr]]]. exists (i - k). repeat split; [lia | lia | lia | exact Hr].
      * intros [j [_ [H1 [H2 Hr]]]]. exists (i - j). replace (i - (i - j)) with j by lia. repeat split; [lia | lia | lia | exact Hr].
    + split.
      * intros [k [Hk [Hki [Hs Hr]]]]. apply (past_scope_is m tr s) in Hs. apply begun in Hs; [| assumption | lia].
        exists (i - k). repeat split; [lia | lia | lia | exact Hr].
      * intros [j [H0 [H1 [H2 Hr]]]]. exists (i - j). replace (i - (i - j)) with j by lia. repeat split; [lia | lia | lia | | exact Hr].
        apply (past_scope_is m tr s). apply begun; [assumption | lia | lia].
    + split.
      * intros [k [Hk [Hki [[Hs Hr] Hway]]]]. exists (i - k). repeat split; [| lia | lia | exact Hr].
        apply scope_from; [lia |]. intros x Hx. apply (past_scope_is m tr s).
        destruct (Nat.eq_dec x (i - k)) as [->|]; [exact Hs |]. replace x with (i - (i - x)) by lia. apply Hway. lia.
      * intros [j [H0 [H1 [H2 Hr]]]]. assert (forall k, j <= k <= i -> scoped tr s k) as H by (apply scope_from; lia).
        exists (i - j). replace (i - (i - j)) with j by lia. repeat split; [lia | lia | lia | | exact Hr |].
        -- apply (past_scope_is m tr s). apply H. lia.
        -- intros x Hx. apply (past_scope_is m tr s). apply H. lia.
  - set (now := match cut_of s with AtStart => Top | _ => past_scope s end).
    assert (forall j, j <= i -> (lo <= j <-> forall k, j <= k < i -> sem now k) \/ j = i) as Hnow.
    { intros j Hj. destruct (Nat.eq_dec j i) as [->|]; [auto | left]. unfold now. destruct (cut_of s) eqn:Hcut.
      - rewrite (at_start Hcut). split; [intros; exact I | lia].
      - split; [| intros H; apply (begun j Hcut Hj); apply (past_scope_is m tr s); apply H; lia].
        intros H k Hk. apply (past_scope_is m tr s). apply begun; [assumption | lia | lia].
      - rewrite (scope_from j Hj). split; [intros H k Hk; apply (past_scope_is m tr s); apply H; lia |].
        intros H k Hk. destruct (Nat.eq_dec k i) as [->|]; [| apply (past_scope_is m tr s); apply H; lia].
        apply interval_is_run in Hinterval; [| assumption]. destruct Hi. apply Hinterval; assumption. }
    change (~ sem (Y (S_ all (And now (Not res)) (And now (And res (Not stop))))) i <->
      forall j, lo <= j < i -> at_position tr j RES -> (forall k, j < k < i -> ~ at_position tr k RES) -> at_position tr j STOP).
    rewrite sem_Y, sem_S. split.
    + intros Hno j Hj Hr Hk. apply NNPP. intros Hns. apply Hno. split; [lia |]. exists j.
      destruct (Hnow j) as [Hn | ->]; [lia | | lia]. assert (forall k, j <= k < i -> sem now k) as Hin by (apply Hn; lia).
      split; [lia | split; [split; [apply Hin; lia | split; assumption] |]].
      intros k Hk'. split; [apply Hin; lia | apply Hk; lia].
    + intros Hall [H1 [j [Hj [[Hn [Hr Hns]] Hk]]]]. apply Hns. apply (Hall j); [| exact Hr |].
      * split; [| lia]. destruct (Hnow j) as [Hin | ->]; [lia | | lia]. apply Hin. intros k Hk'.
        destruct (Nat.eq_dec k j) as [->|]; [exact Hn | apply (Hk k); lia].
      * intros k Hk'. apply (Hk k). lia.
  - change ((sem start i /\ at_position tr i STOP) \/ sem (Y res) i <-> i = 0 /\ at_position tr i STOP \/ 1 <= i /\ at_position tr (i - 1) RES).
    rewrite start_is, sem_Y. reflexivity.
  - apply start_is.
Qed.
End Back.

(** The past formula of a template with a predicate. *)
Definition past_formula_with (p : predicate) (s : scope) (c : condition) (w : timing) : form :=
  subst (past_predicate s p) (past_formula s c w).

Theorem past_formula_with_agrees p m s c w : looks_back p = true ->
  past_agrees_with p m s c w (past_formula_with p s c w).
Proof.
  intros Hback at_i n tr. unfold past_formula_with. subst tr. rewrite subst_is.
  rewrite (past_formula_agrees m s c w _ n). apply answering_holds.
  intros lo hi i Hint Hi. apply past_predicate_is; auto. unfold inside. simpl. lia.
Qed.

(** * Predicates about the future *)

Definition future_predicate (e : ending) (s : scope) (p : predicate) : form :=
  let fin := interval_end e s in
  match p with
  | Persists near far => And (Not (ends_before fin far)) (G_ (Bound near (Some far)) res)
  | Occurs near far => U_ (Bound near (Some far)) (Not fin) res
  | NextOcc => Or fin (X (R_ all (Or res fin) (Imp res stop)))
  | Persisted _ _ | Occurred _ _ | PrevOcc | PreBool | FirstPoint => Bot
  end.

Section Ahead.
Variables (m : nat) (e : ending) (ev tr : trace) (s : scope) (lo : nat) (hi : option nat) (i : nat).
Hypothesis read : reads e ev tr.
Hypothesis inside_0 : inside tr 0.
Hypothesis Hinterval : interval tr s lo hi.
Hypothesis Hi : ahead lo hi i.
Notation sem := (sem m ev).
Notation fin := (interval_end e s).

Lemma ends_at j : i <= j -> upto hi j -> (sem fin j <-> hi = Some j).
Proof.
  intros Hj Hu. apply (run_fin m e ev tr read s lo hi).
  - apply (interval_run tr inside_0 s lo hi Hinterval).
  - destruct Hi. split; [lia | assumption].
Qed.

Lemma evaluated j : upto hi j -> inside ev j.
Proof. apply (run_evaluated e ev tr read s lo hi). apply (interval_run tr inside_0 s lo hi Hinterval). Qed.

Lemma before_end j k : upto hi k -> j <= k -> upto hi j.
Proof. destruct hi; simpl; auto; lia. Qed.

Lemma not_over j k : i <= j < k -> upto hi k -> ~ sem fin j.
Proof.
  intros Hj Hu Hf. apply ends_at in Hf; [| lia | apply (before_end j k); [assumption | lia]].
  rewrite Hf in Hu. simpl in Hu. lia.
Qed.

Lemma over j : i <= j -> ~ upto hi j -> exists h, i <= h < j /\ sem fin h.
Proof.
  intros Hj Hn. assert (exists h, hi = Some h /\ h < j) as [h [E Hh]].
  { clear - Hn. destruct hi as [h|]; simpl in Hn; [exists h; split; [reflexivity | lia] | tauto]. }
  assert (i <= h) as Hih by (destruct Hi as [_ Hu]; rewrite E in Hu; exact Hu).
  exists h. split; [lia |]. apply ends_at; [assumption | rewrite E; simpl; lia | assumption].
Qed.

Lemma response_same i' a : sem (Var a) i' <-> at_position tr i' a.
Proof. apply (atom_same m e ev tr read). Qed.

Lemma ends_before_here n : sem (ends_before fin n) i <-> ~ upto hi (i + val m n).
Proof.
  destruct (traces_same e ev tr read s lo hi (interval_run tr inside_0 s lo hi Hinterval)) as [_ Ee].
  pose proof (ends_before_is m (at_position tr) (last ev) fin (Not fin) i hi) as Hb. rewrite <- Ee in Hb.
  apply Hb.
  - apply Hi.
  - exact evaluated.
  - intros j [H1 H2]. apply ends_at; assumption.
  - intros j [H1 H2]. cbn [Definitions.sem]. rewrite ends_at by assumption. reflexivity.
  - destruct Hi. split; auto.
Qed.

Lemma future_predicate_is p : looks_back p = false -> (sem (future_predicate e s p) i <-> said m tr p lo hi i).
Proof.
  intros Hahead. destruct p as [near far | near far | | | | near far | near far |]; try discriminate; unfold future_predicate, said.
  - cbn [Definitions.sem]. fold (sem (ends_before fin far) i). rewrite ends_before_here. unfold window. cbn [low high]. split.
    + intros [Hn Hg]. apply NNPP in Hn. split; [assumption |]. intros j Hj. apply response_same.
      replace j with (i + (j - i)) by lia. apply Hg; [lia |]. apply evaluated. apply (before_end _ _ Hn). lia.
    + intros [Hu Hall]. split; [tauto |]. intros k Hk _. apply response_same. apply Hall. lia.
  - cbn [Definitions.sem]. unfold window. cbn [low high]. split.
    + intros [k [Hk [Hin [Hr Hgo]]]]. exists (i + k). split; [| split; [lia | apply response_same; exact Hr]].
      apply NNPP. intros Hn. apply over in Hn; [| lia]. destruct Hn as [h [Hh Hf]]. apply (Hgo (h - i)); [lia |].
      replace (i + (h - i)) with h by lia. exact Hf.
    + intros [j [Hu [Hj Hr]]]. exists (j - i). replace (i + (j - i)) with j by lia.
      split; [lia | split; [apply evaluated; assumption | split; [apply response_same; exact Hr |]]].
      intros x Hx. apply (not_over (i + x) j); [lia | assumption].
  - change (sem fin i \/ sem (X (R_ all (Or res fin) (Imp res stop))) i <->
      forall j, i < j -> upto hi j -> at_position tr j RES -> (forall k, i < k < j -> ~ at_position tr k RES) -> at_position tr j STOP).
    rewrite sem_X, sem_R. split.
    + intros [Hf | [_ Hrel]] j Hj Hu Hr Hnone; [exfalso; revert Hf; apply (not_over i j); [lia | assumption] |].
      destruct (Hrel j) as [Hq | [x [Hx Hover]]]; [lia | apply evaluated; assumption | |].
      * apply response_same. apply Hq. apply response_same. exact Hr.
      * exfalso. destruct Hover as [Hrx | Hf].
        -- apply (Hnone x); [lia | apply response_same; exact Hrx].
        -- revert Hf. apply (not_over x j); [lia | assumption].
    + intros Hall. destruct (classic (upto hi (i + 1))) as [Hu | Hn].
      * right. split; [apply evaluated; assumption |]. intros k Hk _.
        destruct (classic (exists x, i + 1 <= x < k /\ sem (Or res fin) x)) as [Hx | Hno]; [right; assumption | left].
        intros Hr. apply response_same. apply (Hall k); [lia | | apply response_same; exact Hr |].
        -- apply NNPP. intros Hn. apply over in Hn; [| lia]. destruct Hn as [h [Hh Hf]]. destruct (Nat.eq_dec h i) as [->|].
           ++ revert Hf. apply (not_over i (i + 1)); [lia | assumption].
           ++ apply Hno. exists h. split; [lia | right; exact Hf].
        -- intros x Hx Hrx. apply Hno. exists x. split; [lia | left; apply response_same; exact Hrx].
      * left. apply over in Hn; [| lia]. destruct Hn as [h [Hh Hf]]. replace i with h by lia. exact Hf.
Qed.
End Ahead.

(** The future formula of a template with a predicate. *)
Definition future_formula_with (e : ending) (p : predicate) (s : scope) (c : condition) (w : timing) : form :=
  subst (future_predicate e s p) (future_formula e s c w).

Theorem finite_formula_with_agrees p m s c w : looks_back p = false ->
  finite_agrees_with p m s c w (future_formula_with Weak p s c w).
Proof.
  intros Hp at_i n tr. unfold future_formula_with. subst tr. rewrite subst_is, (finite_formula_agrees m s c w _ n).
  apply answering_holds. intros lo hi i Hint Hi. apply (future_predicate_is m Weak _ (Trace (Some n) at_i) s lo hi i); auto.
  - split; [reflexivity |]. split; [reflexivity | discriminate].
  - unfold inside. simpl. lia.
Qed.

Theorem marked_formula_with_agrees p m s c w : looks_back p = false ->
  marked_agrees_with p m s c w (future_formula_with Marked p s c w).
Proof.
  intros Hp at_i n H1 H2. unfold future_formula_with. rewrite subst_is.
  rewrite (marked_formula_agrees m s c w _ n); [| exact H1 | exact H2].
  apply answering_holds. intros lo hi i Hint Hi. apply (future_predicate_is m Marked _ (Trace (Some n) at_i) s lo hi i); auto.
  - split; [reflexivity |]. split; [reflexivity |]. exists n. auto.
  - unfold inside. simpl. lia.
Qed.

Theorem infinite_formula_with_agrees p m s c w : looks_back p = false ->
  infinite_agrees_with p m s c w (future_formula_with Endless p s c w).
Proof.
  intros Hp at_i tr. unfold future_formula_with. subst tr. rewrite subst_is, (infinite_formula_agrees m s c w _).
  apply answering_holds. intros lo hi i Hint Hi. apply (future_predicate_is m Endless _ (Trace None at_i) s lo hi i); auto.
  - split; [reflexivity |]. split; reflexivity.
  - exact I.
Qed.

(** * What is proved of the printed formulas *)

(** For every duration there is a formula, and every formula agrees with the
    definition with its duration, which may be a bound of the predicate. *)
Definition proved_with (agrees : predicate -> nat -> scope -> condition -> timing -> form -> Prop)
    (p : num -> predicate) (s : scope) (c : condition) (w : num -> timing) (l : cases) : Prop :=
  (forall n, exists x f m, List.In (x, f) l /\ n = val m x) /\
  forall x f m, List.In (x, f) l -> agrees (p x) m s c (w x) f.

Definition checked_with (back ended : bool) (composed : predicate -> scope -> condition -> timing -> form)
    (p : num -> predicate) (s : scope) (c : condition) (w : num -> timing) (l : cases) : bool :=
  covers 0 l && forallb (fun xf => Bool.eqb (looks_back (p (fst xf))) back && equal_if ended (composed (p (fst xf)) s c (w (fst xf))) (snd xf)) l.

Lemma checked_with_sound (agrees : predicate -> nat -> scope -> condition -> timing -> form -> Prop) back ended composed p s c w l :
  (forall q m w, looks_back q = back -> agrees q m s c w (composed q s c w)) ->
  (forall q m w f g, equiv_if ended f g -> agrees q m s c w f -> agrees q m s c w g) ->
  checked_with back ended composed p s c w l = true -> proved_with agrees p s c w l.
Proof.
  intros Hcomposed Hequiv Hc. unfold checked_with in Hc. apply andb_true_iff in Hc. destruct Hc as [H1 H2]. split.
  - intros n. apply (covers_all l 0 H1). lia.
  - intros x f m Hin. rewrite forallb_forall in H2. specialize (H2 (x, f) Hin). simpl in H2. apply andb_true_iff in H2.
    destruct H2 as [Hb He]. apply eqb_prop in Hb. apply (Hequiv (p x) m (w x) (composed (p x) s c (w x))); [| apply Hcomposed; assumption].
    apply equal_if_sound. assumption.
Qed.

Theorem past_proved_with p s c w l : checked_with true true past_formula_with p s c w l = true -> proved_with past_agrees_with p s c w l.
Proof.
  apply checked_with_sound; [intros; apply past_formula_with_agrees; assumption |].
  intros q m x f g E Hf at_i n. cbv zeta. rewrite <- (E m _ n); [apply Hf | reflexivity | unfold inside; simpl; lia].
Qed.

Theorem finite_proved_with p s c w l :
  checked_with false true (future_formula_with Weak) p s c w l = true -> proved_with finite_agrees_with p s c w l.
Proof.
  apply checked_with_sound; [intros; apply finite_formula_with_agrees; assumption |].
  intros q m x f g E Hf at_i n. cbv zeta. rewrite <- (E m _ 0); [apply Hf | reflexivity | unfold inside; simpl; lia].
Qed.

Theorem marked_proved_with p s c w l :
  checked_with false false (future_formula_with Marked) p s c w l = true -> proved_with marked_agrees_with p s c w l.
Proof.
  apply checked_with_sound; [intros; apply marked_formula_with_agrees; assumption |].
  intros q m x f g E Hf at_i n H1 H2. rewrite <- (E m _ 0); [apply Hf; assumption | reflexivity | exact I].
Qed.

Theorem infinite_proved_with p s c w l :
  checked_with false false (future_formula_with Endless) p s c w l = true -> proved_with infinite_agrees_with p s c w l.
Proof.
  apply checked_with_sound; [intros; apply infinite_formula_with_agrees; assumption |].
  intros q m x f g E Hf at_i. cbv zeta. rewrite <- (E m _ 0); [apply Hf | reflexivity | exact I].
Qed.
